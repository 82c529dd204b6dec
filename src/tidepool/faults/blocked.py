"""Pages that want to know whether we are human."""

from __future__ import annotations

from tidepool.faults.behaviour import Act, Exchange, register
from tidepool.site import Headers, Response, html

CHALLENGE = """<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title>
<meta name="robots" content="noindex,nofollow"></head><body><div class="main-wrapper" role="main">
<h1>Verifying you are human. This may take a few seconds.</h1><div id="challenge-form"></div>
<noscript>Enable JavaScript and cookies to continue</noscript></div>
<script>window._cf_chl_opt={cType:'managed'};</script>
<script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1"></script></body></html>"""

CAPTCHA = """<!DOCTYPE html><html><head><title>Are you a robot?</title></head><body>
<h1>Please complete the security check to access this site</h1>
<form id="captcha-form" action="/verify" method="post">
<div class="g-recaptcha" data-sitekey="tidepool-demo-key"></div>
<button>I am not a robot</button></form></body></html>"""

ACCESS_DENIED = """<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>
You don't have permission to access this page on this server.
<P>Reference #18.5a2c1102.1700000000.3e1f0a</BODY></HTML>"""

LOGIN = """<!DOCTYPE html><html><head><title>Log in - My account</title></head><body>
<h1>Please log in to continue</h1>
<form class="login" method="post" action="/my-account/"><input name="username">
<input name="password" type="password">
<button>Log in</button></form></body></html>"""

MAINTENANCE = """<!DOCTYPE html><html><head><title>Maintenance</title></head><body>
<h1>Briefly unavailable for scheduled maintenance. Check back in a minute.</h1></body></html>"""

MITIGATED: Headers = (("cf-mitigated", "challenge"), ("cf-ray", "0000000000000000-TDP"))


def _page(text: str, status: int, headers: Headers = ()) -> Act:
    async def act(_exchange: Exchange) -> Response:
        return html(text, status=status, headers=headers)

    return act


register("challenge_200", "Shows an interstitial challenge with status 200.", _page(CHALLENGE, 200))
register(
    "challenge_403", "Shows an interstitial challenge with status 403.", _page(CHALLENGE, 403, MITIGATED)
)
register(
    "challenge_503", "Shows an interstitial challenge with status 503.", _page(CHALLENGE, 503, MITIGATED)
)
register("captcha_200", "Shows a captcha form with status 200.", _page(CAPTCHA, 200))
register("captcha_403", "Shows a captcha form with status 403.", _page(CAPTCHA, 403))
register("access_denied_403", "Shows a firewall's refusal with status 403.", _page(ACCESS_DENIED, 403))
register("login_wall_200", "Shows a login form instead of the page with status 200.", _page(LOGIN, 200))
register("maintenance_200", "Shows a maintenance notice with status 200.", _page(MAINTENANCE, 200))
