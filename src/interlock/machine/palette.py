"""Palette is the look of drawn machines in light and dark; it must never say what shapes and words do not."""

STYLE = """
.ilk-machine{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;background:transparent}
.ilk-machine text{white-space:pre}
.ilk-machine .ilk-box rect{fill:#fff;stroke:#5b6b82;stroke-width:1.5}
.ilk-machine .ilk-initial rect{fill:#eaf2ff;stroke:#1f5fbf}
.ilk-machine .ilk-final rect{fill:#eaf7ee;stroke:#1d7a42}
.ilk-machine .ilk-null rect{stroke-dasharray:2 3}
.ilk-machine .ilk-name{font-size:13px;font-weight:600;fill:#16202e;text-anchor:middle}
.ilk-machine .ilk-note{font-size:11px;fill:#4a586b;text-anchor:middle}
.ilk-machine .ilk-line{fill:none;stroke:#5b6b82;stroke-width:1.5}
.ilk-machine .ilk-line.ilk-retry{stroke:#a85a00;stroke-dasharray:7 4}
.ilk-machine .ilk-line.ilk-operator{stroke:#7a3fb0;stroke-dasharray:2 3}
.ilk-machine .ilk-line.ilk-timer{stroke:#00707a;stroke-dasharray:1 3}
.ilk-machine .ilk-head{fill:#5b6b82}
.ilk-machine .ilk-head.ilk-retry{fill:#a85a00}
.ilk-machine .ilk-head.ilk-operator{fill:#7a3fb0}
.ilk-machine .ilk-head.ilk-timer{fill:#00707a}
.ilk-machine .ilk-dot{fill:#1f5fbf}
.ilk-machine .ilk-word{font-size:11px;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}
.ilk-machine .ilk-word.ilk-retry{fill:#8a4a00}
.ilk-machine .ilk-word.ilk-operator{fill:#6a2fa0}
.ilk-machine .ilk-word.ilk-timer,.ilk-machine .ilk-word.ilk-plain{fill:#005a62}
.ilk-machine .ilk-frame{fill:none;stroke:#5b6b82;stroke-width:1.5;stroke-dasharray:1 0}
.ilk-machine .ilk-caption{font-size:12px;fill:#4a586b}
@media (prefers-color-scheme:dark){
.ilk-machine .ilk-box rect{fill:#1b2430;stroke:#93a4bb}
.ilk-machine .ilk-initial rect{fill:#16294a;stroke:#7fb0ff}
.ilk-machine .ilk-final rect{fill:#14321f;stroke:#6fd398}
.ilk-machine .ilk-name{fill:#eef3fa}
.ilk-machine .ilk-note,.ilk-machine .ilk-caption{fill:#b4c0d0}
.ilk-machine .ilk-line,.ilk-machine .ilk-frame{stroke:#93a4bb}
.ilk-machine .ilk-line.ilk-retry{stroke:#ffb454}
.ilk-machine .ilk-line.ilk-operator{stroke:#cfa3ff}
.ilk-machine .ilk-line.ilk-timer{stroke:#5fd0dc}
.ilk-machine .ilk-head{fill:#93a4bb}
.ilk-machine .ilk-head.ilk-retry{fill:#ffb454}
.ilk-machine .ilk-head.ilk-operator{fill:#cfa3ff}
.ilk-machine .ilk-head.ilk-timer{fill:#5fd0dc}
.ilk-machine .ilk-dot{fill:#7fb0ff}
.ilk-machine .ilk-word{stroke:#10161f}
.ilk-machine .ilk-word.ilk-retry{fill:#ffc67d}
.ilk-machine .ilk-word.ilk-operator{fill:#dcbcff}
.ilk-machine .ilk-word.ilk-timer,.ilk-machine .ilk-word.ilk-plain{fill:#8fe3ec}
}
""".strip()
