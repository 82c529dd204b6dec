"""How Chromium is started so that it has no way out but the egress guard."""

from __future__ import annotations

import os

# A second --disable-features replaces the first, Playwright's own included: this list must hold both.
_DISABLED_FEATURES = (
    # causes traffic of its own
    "AimEnabled",
    "AutofillServerCommunication",
    "CertificateTransparencyComponentUpdater",
    "DialMediaRouteProvider",
    "InterestFeedContentSuggestions",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PreconnectToSearch",
    "Translate",
    # asks for https where we asked for http
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    # what Playwright needs off to work
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "LensOverlay",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "TcpPortRandomizationWin",
)

_ALWAYS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-quic",
    "--disable-sync",
    "--dns-prefetch-disable",
    "--no-first-run",
    "--no-pings",
    "--disable-features=" + ",".join(_DISABLED_FEATURES),
    # UDP would pass the proxy by. Builds know the policy under one of two names.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Names are the guard's to resolve; Chromium knows only the guard's own address.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)


def launch_flags(*, certificate_pin: str, images: bool) -> list[str]:
    """Return the flags beside Playwright's own; `certificate_pin` is the only certificate taken on trust."""
    flags = [*_ALWAYS, f"--ignore-certificate-errors-spki-list={certificate_pin}"]
    if not images:
        flags.append("--blink-settings=imagesEnabled=false")
    return flags


def needs_no_sandbox() -> bool:
    """True as root, where Chromium's sandbox refuses to start."""
    return hasattr(os, "geteuid") and os.geteuid() == 0
