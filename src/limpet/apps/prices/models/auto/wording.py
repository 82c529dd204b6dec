"""What the words right before and after an amount make of it, in the languages of the shops we meet."""

from __future__ import annotations

import re

from limpet.apps.prices.models.auto import naming

# Marks that only words give.
FROM = 1 << 20  # "from 19.99": the least of several
RANGE = 1 << 21  # one end of "10 - 20"
ABOUT = 1 << 22  # converted or approximate
WITHOUT_TAX = 1 << 23  # stands beside the price with tax
LABELLED = 1 << 25  # under a label that does not call it the price
PER_UNIT = 1 << 24  # "/ 100 g": words say so, where a name may only mean the currency unit

_BEFORE: tuple[tuple[int, str], ...] = (
    (
        naming.OLD,
        r"mrp|m\.r\.p\.?|ticket price|tag price|was|were|reduced from|list|list price|rrp|r\.r\.p\.?|msrp"
        r"|m\.s\.r\.p\.?"
        r"|srp|retail"
        r"|retail price|retail value|orig|orig\.|original|original price|originally|compare at|compare"
        r"|before|previously"
        r"|previous price|typical price|comp\. value|value|valued at|worth"
        r"|suggested price"
        r"|statt|uvp|u\.v\.p\.?|uvp des herstellers|bisher|vorher|früher|ehemals|unverb\. preisempf\."
        r"|ursprünglich|alter preis|listenpreis"
        r"|ancien prix|au lieu de|prix conseillé|prix barré|prix d'origine|prix public|avant|prix initial"
        r"|antes|pvpr|p\.v\.p\.r\.?|precio anterior|precio recomendado|precio original|pvp recomendado"
        r"|prezzo di listino|prezzo precedente"
        r"|prezzo consigliato|invece di|prima|prezzo originale|van|adviesprijs|normaal|oude prijs"
        r"|was prijs|van voor"
        r"|ord|ord\.|ord\. pris|ordinarie|ordinarie pris|tidigare|tidigare pris|rek\. pris|før|førpris"
        r"|veil\.|veiledende|normalpris"
        r"|cena regularna|cena katalogowa|najniższa cena|zamiast|stara cena|původní cena|běžná cena|de"
        r"|por de|ovh|norm\."
        r"|通常価格|定価|メーカー希望小売価格|参考価格|原价|市场价|старая цена|list-price|old price|full price"
        r"|full retail",
    ),
    (
        naming.OLD,
        r"ehem\. preis|altpreis|prix catalogue|precio de lista|prezzo intero|preço anterior|preço original"
        r"|oorspronkelijke prijs|rek\. ca-pris|vejl\. pris|veil\. pris|suositushinta|cena pierwotna|cena poprzednia"
        r"|původně|doporučená cena|eredeti ár|régi ár|pre[tț] vechi|prp|było|было|рекомендуемая цена|стара ціна"
        r"|eski fiyat|piyasa fiyatı|liste fiyatı|αρχική τιμή|希望小売価格|정가|소비자가|시중가|정상가|吊牌价|划线价"
        r"|harga coret|giá gốc|giá cũ|giá thị trường|giá niêm yết|ราคาเดิม|מחיר קודם|במקום",
    ),
    (
        naming.REGULAR,
        r"reg|reg\.|regular|regular price|usually|normally|normal price|regulärer preis|normalpreis|normaler preis"
        r"|prix normal|prix habituel|precio normal|precio regular|precio habitual|prezzo normale|prezzo base"
        r"|preço normal|normale prijs|normalpris|обычная цена|harga normal|ราคาปกติ",
    ),
    (
        FROM,
        r"from|starting at|starting from|starts at|as low as|low as|from only|prices from|ab|schon ab"
        r"|à partir de|a partir de|dès|desde"
        r"|a partire da|da|vanaf|från|fra|od|już od|alkaen|min|up to|bis zu|jusqu'à|hasta|fino a|tot"
        r"|between|from as little as|cena od",
    ),
    (
        naming.SAVING,
        r"save|saves|you save|saving|savings|off|discount|discount of|less|minus|spare|sparen|sie sparen"
        r"|du sparst|ersparnis|rabatt"
        r"|économisez|vous économisez|économie|remise|ahorra|ahorras|ahorro|descuento|risparmi|risparmia"
        r"|sconto|bespaar"
        r"|je bespaart|korting|spara|du sparar|spar|oszczędzasz|coupon|voucher|earn|collect|get|reward"
        r"|rewards|points|cashback"
        r"|gift card|credit|bonus|rebate|extra|spend|orders over|order over|orders above|order above|over"
        r"|above|under|minimum|mindestbestellwert"
        r"|gift (?:box|bag|card|message)|est\.? tax|estimated tax|core charge|core deposit|core|gift wrap"
        r"|gift wrapping|assembly|installation|engraving|set-?up fee"
        r"|deposit|pfand|eco-participation|dont|inkl\. pfand|tax|vat|fee|import fees|duty|handling|win"
        r"|donate|tip",
    ),
    (
        naming.SHIPPING,
        r"ships? for|shipping|delivery|postage|p&p|freight|shipping cost|shipping costs|delivery from|shipping from"
        r"|free shipping over|free delivery over"
        r"|standard delivery|express|ship for|versand|versandkosten|zzgl|zzgl\. versand|lieferung"
        r"|versandkostenfrei ab|livraison"
        r"|frais de port|livraison gratuite dès|spedizione|spese di spedizione|envío|gastos de envío"
        r"|verzendkosten|verzending"
        r"|frakt|fragt|dostawa|wysyłka|送料|gratis ab|shipping:|delivered",
    ),
    (
        naming.FINANCE,
        r"payments of|payment of|installments of|instalments of|\d+\s?x"
        r"|\d+ (?:\w+[ -]){0,4}(?:payments|installments|instalments)(?: of)?"
        r"|pay just|pay|from just|monthly|per month|als ratenkauf|mtl\.|monatlich|raten|finanzierung"
        r"|finanzierung ab|or|oder|ou|mensualités de|"
        r"en \d+ fois|in \d+ rate da|cuotas de|rent|lease|subscribe|used|new & used|pre-owned|refurbished"
        r"|renewed|subscribe,? (?:&|and) save(?: \(?(?:up to )?\d{1,2}\s?%\)?)?(?: off)?"
        r"|trade-in|(?:protection|care|service|\d-?\s?(?:years?|yr)) plan|protection"
        r"|warranty|with autoship|autoship|prime|get (?:it|this|them) for|with (?:auto|subscription)|buy \d+ for"
        r"|\d+ for|any \d+ for"
        r"|bundle|bundle price"
        r"|(?:club|members?'?s?|clubcard|loyalty|card|vip|app|student|insider|kundenkarte|mit \w*karte)(?: only)?",
    ),
    (
        naming.TIER,
        r"(?<!\d)(?:[2-9]|[1-9]\d+)\s?(?:\+|or more|and (?:up|above|over|more)|oder mehr|ou plus|o più|[-–]\s?\d+)"
        r"(?: (?:pcs|pieces|units|stück|items))?"
        r"|(?:buy|qty|bei|ab|from) (?:[2-9]|[1-9]\d+)(?: (?:for|or more|stück|pcs|units))?",
    ),
    (naming.TOTAL, r"total|subtotal|total price|sum|gesamt|gesamtpreis|add"),
    (ABOUT, r"approximately|approx|approx\.|about|circa|ca|ca\.|~|≈|environ|ungefähr|roughly|equivalent"),
    (
        WITHOUT_TAX,
        r"bez dph|bez vat|iva esclusa|sin iva|sem iva|uten mva|fără tva|без ндс|nettó|alv 0 ?%|ex|ex\.|ex vat"
        r"|exc|exc\."
        r"|exc\. vat|excl|excl\.|excl\. vat|excl\. tax|ex\. vat|exkl\. moms|netto|ht"
        r"|ex tax|ex gst|without tax|税抜|税別|本体価格",
    ),
    (
        PER_UNIT,
        r"unit price|price per \w+|grundpreis|prix au \w+|stückpreis|jmf\.?-?pris|jmf|per unit|basispreis"
        r"|price per unit",
    ),
    (
        naming.CURRENT,
        r"you pay|now|now only|only|sale|sale price|our price|your price|special price|special|price"
        r"|price:|today|deal price|deal|jetzt|nur|unser preis|aktueller preis|preis"
        r"|maintenant|prix|notre prix|ahora|precio|ora|prezzo|nu|voor|prijs|nu endast|pris|teraz|cena|価格|税込"
        r"|販売価格|セール価格|特価|판매가|할인가|现价|售价|giá|giá bán|giá khuyến mãi|ราคา|harga|מחיר|цена|новая цена"
        r"|ціна|fiyat|indirimli fiyat|τιμή|pre[tț]|akciós ár|ár|akční cena|naše cena|cena promocyjna|nasza cena"
        r"|hinta|nyt|kampanjpris|preço|por|preço promocional|sonderpreis|prix promo|prix soldé|precio oferta"
        r"|precio especial|prezzo scontato|prezzo speciale|unser preis|dein preis|ihr preis|web price|online price"
        r"|current price|offer price|buy it now|buy now"
        r"|aktionspreis|angebotspreis|prix actuel|precio actual|prezzo attuale|reduced to",
    ),
)
_AFTER: tuple[tuple[int, str], ...] = (
    (
        naming.FINANCE,
        r"(?:/\s?|(?:per|a|par|al|pro|im|i)\s)(?:mo\b|mth|month|monat|mois|mese|mes\b|week|wk|year|yr|jahr|månad|mån|day"
        r"|woche)"
        r"|monthly|mtl|mensuel"
        r"|x \d+|with (?:klarna|afterpay|affirm|zip|paypal)|now\b.{0,20}later"
        r"|(?:\d{1,2}\s?% off\)? )?with (?:auto|subscri|your \w+ card)|with (?:prime|subscription|trade|code|coupon"
        r"|voucher|promo)|today with|interest[- ]free|after\b",
    ),
    (
        PER_UNIT,
        r"(?:/\s?|(?:per|pro|je|par|por|al|à la|für)(?:\s|(?=\d)))\(?(?:\d+[.,]?\d*\s?)?"
        r"(?:kg|g|gr|gram|gramm|mg|l|lt|liter|litre|litro|ml|cl|oz|ounce|fl|lb|lbs|pound|count|ct|sq|ft|m²|m2|m\b|meter|metre|yd|yard|rd|round|sheet"
        r"|100|wash|use|serving|tablet|capsule|pod|person|night|kilo|hour)|(?:ea"
        r"|each|stk|pcs|piece) ?(?:/|when|for|if) ",
    ),
    # The price of one piece is the price, unless the page shows the price of a box as well.
    (
        naming.UNIT,
        r"[*\s]*(?:/\s?|(?:per|pro|je|par|por|al|à la|za|cena za)\s)(?:1\s?)?(?:stk|stück|st\b|unité|pair|paar|piece"
        r"|pièce"
        r"|pz|pezzo|unidad|szt|ks|db|stuk|pack|box)",
    ),
    (
        naming.SAVING,
        r"off|discount|rabatt|saved|savings|saving|in reward|in points|reward|points|cash ?back|credit"
        r"|korting|de réduction|de remise|di sconto"
        r"|gespart|sparen|gutschein|buono|cupón|bon d|coupon|voucher|gift card|back in|deposit|rebate|économisés",
    ),
    (
        naming.SHIPPING,
        r"shipping|delivery|postage|p&p|versand|livraison|spedizione|envío|frakt|to ship|for shipping"
        r"|import fees|flat rate|minimum",
    ),
    (naming.OLD, r"rrp|msrp|list|retail|value|uvp|regular price"),
    (
        naming.TIER,
        r"(?:each )?(?:for|when you buy|if you buy|bei|ab) \d+|or more|and up|& up|and above|\d+\+",
    ),
    (
        WITHOUT_TAX,
        r"ex\b|ex\.|exc|excl|ht\b|h\.t|netto|zzgl\.? mwst|hors tva|\+ ?vat|plus vat|excluding|\+ ?gst|\+ ?tax"
        r"|iva excl|exkl|\+ ?iva|bez dph|bez vat|iva esclusa|sin iva|sem iva|uten mva|eks\.? ?mva|ekskl|fără tva"
        r"|fara tva"
        r"|без ндс|nettó|alv 0|veroton|χωρίς φπα",
    ),
    (ABOUT, r"approx"),
    (FROM, r"\+(?!\s?\w)"),
    (WITHOUT_TAX, r"税抜|税別"),
    (
        naming.FINANCE,
        r"(?:clubcard|members?|loyalty|card|prime|club|app|vip|subscriber|my\w+) ?(?:price|only|preis|prix)?",
    ),
)
_PRICE_WORD = r"(?:price|preis|prix|pris|cena|prezzo|precio|preço|prijs)"
_BEFORE_COMPILED = tuple(
    (mark, re.compile(rf"(?<![\w])(?:{words})\s?{_PRICE_WORD}?[\s:.(\-–*]{{0,4}}$", re.I))
    for mark, words in _BEFORE
)
_AFTER_COMPILED = tuple(
    (mark, re.compile(rf"[\s(*,]{{0,3}}(?:{words})(?![^\W\d])", re.I)) for mark, words in _AFTER
)
# "Retail price: 30.00" after an amount is about the one that follows.
_LABELS = naming.OLD | naming.SHIPPING | naming.SAVING | WITHOUT_TAX
_NEXT_AMOUNT = re.compile(r"[^\d.!]{0,14}\d|\s?:")
_DASH = r"(?:-|–|—|~|to|bis|à|until)"
_RANGE_AFTER = re.compile(
    rf"\s*{_DASH}\s*(?:[^\w\s.,%-]{{1,3}}|[A-Z]{{1,3}}\$?)?\s?\d[\d.,]*(?!\s?%|[\d.,])", re.I
)
_RANGE_BEFORE = re.compile(rf"\d\s?[^\s\d.,%-]{{0,4}}\.?\s*{_DASH}\s*$", re.I)
# "Between 10 and 20": the far end, after its "and".
_BETWEEN = re.compile(
    r"\b(?:between|zwischen|entre|tra|fra|tussen|mellan|mellem)\b\D{0,8}\d[\d.,' ]{0,14}\D{0,8}"
    r"\b(?:and|und|et|y|e|en|och|og)\s*$",
    re.I,
)
_SIGNED = re.compile(r"(?:^|\()\s*[-–−+]\s?$|(?:^|\s)[-−+]$")


def marks_before(text: str) -> int:
    """Return what the text that ends at an amount makes of it; the nearest meaning wins."""
    if _RANGE_BEFORE.search(text[-16:]) or _BETWEEN.search(text[-48:]):
        return RANGE
    tail = text[-48:].rsplit("\n", 1)[-1]
    marks = 0
    for mark, words in _BEFORE_COMPILED:
        if words.search(tail):
            marks |= mark
    if _SIGNED.search(tail) and not marks & naming.CURRENT:
        marks |= naming.SAVING
    return marks


def marks_after(text: str) -> int:
    """Return what the text that starts after an amount makes of it."""
    if _RANGE_AFTER.match(text):
        return RANGE
    head = text[:48]
    marks = 0
    for mark, words in _AFTER_COMPILED:
        found = words.match(head)
        if found is not None and not (mark & _LABELS and _NEXT_AMOUNT.match(head, found.end())):
            marks |= mark
    return marks
