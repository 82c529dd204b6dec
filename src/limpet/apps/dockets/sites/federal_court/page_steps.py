"""Questions put to the open page, in its own language. What stood there before we asked is marked as old."""

from __future__ import annotations

# Marks whatever an earlier search has left, and writes the number into the field's attribute, so that the page as
# we keep it says which number it was asked for. Returns what the field really holds.
ASK = """(number) => {
  document.querySelectorAll('[data-limpet-asked]').forEach((one) => one.removeAttribute('data-limpet-asked'));
  document.querySelectorAll('#datatable tr, #ModalForm tr')
    .forEach((row) => row.setAttribute('data-limpet-old', ''));
  const field = document.querySelector('#tab02 #selectCourtNumber');
  field.setAttribute('data-limpet-asked', number);
  return field.value;
}"""

ROW_IS_SHOWN = """function row_is_shown({ number }) {
  return [...document.querySelectorAll('#datatable tbody tr:not([data-limpet-old])')]
    .some((row) => row.cells.length === 5 && row.cells[0].textContent.trim() === number);
}"""

EMPTY_IS_SHOWN = """function empty_is_shown() {
  const rows = document.querySelectorAll('#datatable tbody tr');
  return rows.length === 1 && !rows[0].hasAttribute('data-limpet-old')
    && rows[0].querySelector('td.dataTables_empty') !== null;
}"""

FORGET_EXTRAS = "document.querySelectorAll('meta[data-limpet-extra]').forEach((one) => one.remove())"

# What the page's script was told beside the docket becomes part of the page as we keep it.
KEEP_EXTRA = """({ number, name, answer }) => {
  const kept = document.createElement('meta');
  kept.setAttribute('data-limpet-extra', name);
  kept.setAttribute('data-limpet-of', number);
  kept.content = answer;
  document.head.append(kept);
}"""

# By the words above the column: the buttons' ids are the wrong way round, and the same on every row.
PLACE_OF_BUTTON = """({ number, head }) => {
  const heads = [...document.querySelectorAll('#datatable thead th')].map((head) => head.textContent.trim());
  const rows = [...document.querySelectorAll('#datatable tbody tr')];
  const row = rows.findIndex((one) => !one.hasAttribute('data-limpet-old')
    && one.cells.length === heads.length && one.cells[0].textContent.trim() === number);
  const column = heads.indexOf(head);
  return row < 0 || column < 0 ? null : [row + 1, column + 1];
}"""

# Open, about this number, and with nothing in it from before.
DIALOG_IS_FRESH = """function dialog_is_fresh({ number }) {
  const dialog = document.querySelector('#ModalForm.show');
  const title = dialog && dialog.querySelector('#modalTitle');
  if (!title || title.textContent.replace(/\\u00a0/g, ' ').split(':').pop().trim() !== number) return false;
  const rows = [...dialog.querySelectorAll('tr')];
  return rows.length > 0 && !rows.some((row) => row.hasAttribute('data-limpet-old'));
}"""

# Open, about this number, and with every entry its script was told of, none of them from before.
DIALOG_IS_COMPLETE = """function dialog_is_complete({ number, count }) {
  const dialog = document.querySelector('#ModalForm.show');
  const title = dialog && dialog.querySelector('#modalTitle');
  if (!title || title.textContent.replace(/\\u00a0/g, ' ').split(':').pop().trim() !== number) return false;
  const table = [...dialog.querySelectorAll('table')].find((one) => one.caption);
  const rows = table ? [...table.tBodies[0].rows] : [];
  if (!table || rows.some((row) => row.hasAttribute('data-limpet-old'))) return false;
  if (!count) return rows.length === 1 && rows[0].querySelector('.dataTables_empty') !== null;
  return rows.filter((row) => row.cells.length === 5).length === count;
}"""
