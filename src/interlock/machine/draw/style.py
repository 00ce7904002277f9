"""Style is the look of a machine drawn as a file of its own, in light and dark, and the marks it uses; pages have both from the console."""

STYLE = """
.machine{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;
color-scheme:light dark;--surface:#fff;--ink:#15181c;--ink-2:#454b53;--control:#80868e;--track:#7d848d;--waiting:#4a5563;
--running:#1553b0;--running-tint:#e7effb;--done:#1b6a3b;--failed:#b01f1a;--failed-tint:#fcebe9;--retry:#765800;
--person:#693b9f}
@media (prefers-color-scheme:dark){.machine{--surface:#16191c;--ink:#e8ebed;--ink-2:#b4bbc2;--control:#6d767f;
--track:#78818a;--waiting:#a9b4c0;--running:#86b4ff;--running-tint:#15253d;--done:#72cf96;--failed:#ff938b;
--failed-tint:#391916;--retry:#dcc06a;--person:#cba7fb}}
.machine text{fill:var(--ink);white-space:pre;font-variant-numeric:tabular-nums}
.machine .ring{fill:none}
.machine .box{fill:var(--surface);stroke:var(--control);stroke-width:1.25}
.machine .box2{fill:none;stroke:var(--control);stroke-width:1.25}
.machine .is-running .box{fill:var(--running-tint);stroke:var(--running)}
.machine .is-failed .box{fill:var(--failed-tint);stroke:var(--failed)}
.machine .is-person .box{stroke:var(--person)}
.machine .is-null .box{stroke-dasharray:4 3}
.machine .name{font-size:13px;font-weight:600}
.machine .count{font-size:24px;font-weight:600}
.machine .count.short{font-size:18px}
.machine .note,.machine .flow,.machine .axis-name{font-size:12px;fill:var(--ink-2)}
.machine .paper{fill:var(--surface)}
.machine .edge{fill:none;stroke:var(--track);stroke-width:1.5}
.machine .head{fill:var(--track)}
.machine .edge.retry{stroke-dasharray:6 4}
.machine .edge.byhand{stroke-dasharray:1.5 4;stroke-linecap:round;stroke-width:2}
.machine .edge.timer{stroke-dasharray:10 3 2 3}
.machine .m{color:var(--control)}
.machine .cut{stroke:var(--surface)}
.machine .is-waiting .m{color:var(--waiting)}
.machine .is-running .m{color:var(--running)}
.machine .is-done .m,.machine .is-final .m{color:var(--done)}
.machine .is-failed .m{color:var(--failed)}
.machine .is-retry .m{color:var(--retry)}
.machine .is-person .m{color:var(--person)}
""".strip()

_MARKS = """
<symbol id="m-waiting" viewBox="0 0 16 16">
<circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" stroke-width="2"/>
</symbol>
<symbol id="m-running" viewBox="0 0 16 16">
<circle cx="8" cy="8" r="5.75" fill="none" stroke="currentColor" stroke-width="1.75"/>
<path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor"/>
</symbol>
<symbol id="m-done" viewBox="0 0 16 16">
<circle cx="8" cy="8" r="6.75" fill="currentColor"/>
<path class="cut" d="M4.9 8.3l2.2 2.2 4.1-4.7" fill="none" stroke-width="1.8"/>
</symbol>
<symbol id="m-final" viewBox="0 0 16 16">
<circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" stroke-width="1.5"/>
<circle cx="8" cy="8" r="3.4" fill="currentColor"/>
</symbol>
<symbol id="m-null" viewBox="0 0 16 16">
<circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" stroke-width="1.75" stroke-dasharray="2.3 2.02"/>
</symbol>
<symbol id="m-retry" viewBox="0 0 16 16">
<path d="M13.2 8A5.2 5.2 0 1 1 11 3.75" fill="none" stroke="currentColor" stroke-width="1.9"/>
<path d="M10 .9l4.4 2.3-4.2 2.9z" fill="currentColor"/>
</symbol>
<symbol id="m-failed" viewBox="0 0 16 16">
<path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z" fill="currentColor"/>
<path class="cut" d="M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2" fill="none" stroke-width="1.8"/>
</symbol>
<symbol id="m-asks" viewBox="0 0 16 16">
<rect x="2.4" y="2.4" width="11.2" height="11.2" fill="none" stroke="currentColor" stroke-width="1.75"/>
<circle cx="8" cy="8" r="2.3" fill="currentColor"/>
</symbol>
<symbol id="m-new" viewBox="0 0 16 16">
<rect x="2.5" y="2.5" width="11" height="11" fill="none" stroke="currentColor" stroke-width="1.9"/>
</symbol>
<symbol id="m-selected" viewBox="0 0 16 16">
<rect x="1.5" y="1.5" width="13" height="13" fill="currentColor"/>
<path class="cut" d="M4.7 8.3l2.3 2.3 4.4-5" fill="none" stroke-width="1.8"/>
</symbol>
<symbol id="m-maybe" viewBox="0 0 16 16">
<rect x="2.4" y="2.4" width="11.2" height="11.2" fill="none" stroke="currentColor" stroke-width="1.75"/>
<path d="M2.4 13.6V2.4l11.2 11.2z" fill="currentColor"/>
</symbol>
<symbol id="m-discarded" viewBox="0 0 16 16">
<rect x="2.4" y="2.4" width="11.2" height="11.2" fill="none" stroke="currentColor" stroke-width="1.75"/>
<path d="M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2" stroke="currentColor" stroke-width="1.6"/>
</symbol>
"""

SYMBOLS = {
    symbol.split('"')[1]: f"{symbol}</symbol>"
    for symbol in _MARKS.strip().split("</symbol>")
    if symbol.strip()
}
"""By name: a mark as a `symbol` element."""
