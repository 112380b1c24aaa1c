/*
 * The style sheet of pages: one column on a phone, two on a desk, ink on paper in print, dark where the reader's system
 * is. Colours of data follow Okabe and Ito's order, which every kind of colour vision can tell apart; in the dark the
 * dim ones are lifted. Widths are fluid, so nothing is wider than the screen.
 */
#include "learn/page_style.h"
#include <stddef.h>

static const char COLORS[] =
    ":root{--paper:#fff;--card:#f7f6f3;--ink:#1c1d21;--soft:#5d6068;--faint:#8d9099;--rule:#dedcd6;--grid:#e9e7e2;"
    "--accent:#0b5fa5;--mark:#d55e00;"
    "--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#b5578f;--c4:#b38600;--c5:#2f9fd6;--c6:#54585f;--c7:#8a4b1f;"
    "--serif:Charter,'Bitstream Charter','Iowan Old Style','Source Serif 4',Georgia,serif;"
    "--sans:'Inter','Source Sans 3','Helvetica Neue',Helvetica,Arial,'Liberation Sans',sans-serif;"
    "--mono:ui-monospace,'SF Mono',Menlo,Consolas,'Liberation Mono',monospace}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--paper:#15171b;--card:#1d2026;--ink:#e8e6e1;--soft:#a9acb5;"
    "--faint:#7d818b;--rule:#353943;--grid:#282c34;--accent:#7cb9f0;--mark:#ff9248;"
    "--c0:#56a9e6;--c1:#f0803c;--c2:#2cc398;--c3:#e08fbf;--c4:#e3c04b;--c5:#9ad4f5;--c6:#b4b8c0;--c7:#c98a5e}"
    ".heat{filter:invert(1) hue-rotate(180deg)}}\n";

static const char TEXT[] =
    "*{box-sizing:border-box}\n"
    "html{-webkit-text-size-adjust:100%;text-size-adjust:100%}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.55 var(--serif);"
    "font-variant-numeric:lining-nums}\n"
    "main{max-width:66rem;margin:0 auto;padding:clamp(1.5rem,5vw,4rem) clamp(1rem,4vw,2.5rem) 3rem}\n"
    "header{margin-bottom:2.5rem;max-width:44rem}\n"
    ".kicker{font:600 .78rem/1.3 var(--sans);letter-spacing:.08em;text-transform:uppercase;color:var(--faint);"
    "margin:0 0 .7rem}\n"
    "h1{font-size:clamp(1.75rem,1.2rem + 2.6vw,2.75rem);line-height:1.12;letter-spacing:-.012em;font-weight:700;"
    "margin:0 0 1rem;text-wrap:balance}\n"
    "h2{font-size:1.45rem;line-height:1.2;margin:0 0 .4rem;font-weight:700;letter-spacing:-.005em;text-wrap:balance}\n"
    "h3{font-size:1.04rem;line-height:1.3;margin:0 0 .2rem;font-weight:700}\n"
    "p{margin:0 0 .9rem;text-wrap:pretty}\n"
    "h1,h2,h3,p,dd,figcaption,li,td,th{overflow-wrap:anywhere}\n"
    ".lead{font-size:1.17rem;line-height:1.5;color:var(--ink)}\n"
    ".note,figcaption{font:.86rem/1.5 var(--sans);color:var(--soft)}\n"
    "section{border-top:1px solid var(--rule);padding-top:1.5rem;margin-top:2.75rem}\n"
    "section>p{max-width:44rem}\n"
    "a{color:var(--accent)}\n"
    "abbr{text-decoration:none}\n"
    "code,pre,.mono{font-family:var(--mono);font-size:.84em}\n"
    "pre{background:var(--card);border:1px solid var(--rule);border-radius:5px;padding:.8rem 1rem;margin:0 0 1rem;"
    "white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5}\n"
    "footer{border-top:1px solid var(--rule);margin-top:3rem;padding-top:1rem;font:.82rem/1.5 var(--sans);"
    "color:var(--soft)}\n";

static const char PARTS[] =
    "figure{margin:1.2rem 0 0;min-width:0}\n"
    ".pair{display:grid;grid-template-columns:1fr;gap:1rem 3rem}\n"
    ".cards{display:grid;grid-template-columns:1fr;gap:1.8rem 2.4rem;margin-top:1.2rem}\n"
    "@media(min-width:54rem){.pair{grid-template-columns:1fr 1fr}.cards{grid-template-columns:repeat(3,1fr)}}\n"
    "@media(min-width:36rem) and (max-width:53.99rem){.cards{grid-template-columns:1fr 1fr}}\n"
    ".cards>*,.pair>*{min-width:0}\n"
    ".wide{max-width:44rem}\n"
    "svg{display:block;width:100%;height:auto;overflow:visible}\n"
    "figcaption{margin-top:.5rem;max-width:40rem}\n"
    "dl.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.6rem,1fr));gap:1.1rem 1.2rem;margin:1.2rem "
    "0 "
    "0}\n"
    "dl.facts div{border-left:2px solid var(--rule);padding-left:.7rem}\n"
    "dl.facts dt{font:.78rem/1.35 var(--sans);color:var(--soft)}\n"
    "dl.facts dd{margin:0;font-size:1.32rem;line-height:1.25;font-weight:700}\n"
    "dl.facts dd small{font-weight:400;font-size:.72em;color:var(--soft)}\n"
    "ul.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;margin:.5rem 0 .2rem;padding:0;"
    "font:.84rem/1.5 var(--sans);color:var(--soft)}\n"
    "ul.legend svg{display:inline-block;width:1em;height:1em;vertical-align:-.1em;margin-right:.4em}\n"
    ".table{overflow-x:auto;max-width:100%}\n"
    "table{border-collapse:collapse;font:.86rem/1.4 var(--sans);font-variant-numeric:tabular-nums lining-nums;"
    "margin:.4rem 0 0}\n"
    "caption{text-align:left;color:var(--soft);padding-bottom:.3rem}\n"
    "th,td{padding:.28rem .9rem .28rem 0;text-align:right;border-bottom:1px solid "
    "var(--grid);vertical-align:baseline}\n"
    "th:first-child,td:first-child{text-align:left}\n"
    "th{font-weight:600}\n"
    "thead th{color:var(--soft);font-weight:500;border-bottom-color:var(--rule)}\n"
    "details{margin-top:.6rem;font:.86rem/1.4 var(--sans);color:var(--soft)}\n"
    "summary{cursor:pointer;color:var(--accent)}\n"
    "summary:focus-visible{outline:2px solid var(--accent);outline-offset:3px}\n";

static const char CHARTS[] =
    "svg text{font-family:var(--sans);font-size:12px;fill:var(--soft);font-variant-numeric:tabular-nums lining-nums}\n"
    "svg .name{fill:var(--ink);font-size:13px}\n"
    "svg .value{fill:var(--ink);font-weight:600}\n"
    "svg .axis{fill:var(--soft)}\n"
    "svg .grid{stroke:var(--grid);stroke-width:1;fill:none}\n"
    "svg .base{stroke:var(--faint);stroke-width:1;fill:none}\n"
    "svg .guide{stroke:var(--faint);stroke-width:1;stroke-dasharray:3 4;fill:none}\n"
    "svg .dot{fill:var(--c);stroke:var(--paper);stroke-width:1}\n"
    "svg .faded .dot{fill-opacity:.78;stroke-width:.5}\n"
    "svg .whisker{stroke:var(--c);stroke-width:1.6;fill:none;stroke-linecap:round}\n"
    "svg .line{stroke:var(--c);stroke-width:2;fill:none;stroke-linejoin:round;stroke-linecap:round}\n"
    "svg .band{fill:var(--c);fill-opacity:.14;stroke:none}\n"
    "svg .bar{fill:var(--c)}\n"
    "svg .track{fill:var(--grid)}\n"
    "svg .frame{fill:none;stroke:var(--rule)}\n"
    "svg .edge{stroke:var(--faint);stroke-width:1.3;fill:none}\n"
    "svg .vertex{fill:var(--paper);stroke:var(--faint);stroke-width:1.3}\n"
    "svg .label{font-size:9px;fill:var(--soft);text-anchor:middle}\n"
    "svg .hit{stroke:var(--mark)}\n"
    "svg .vertex.hit{fill:var(--mark)}\n"
    "svg .hit-label{font-size:9px;fill:var(--paper);font-weight:700;text-anchor:middle}\n"
    "svg .tuple{stroke:var(--mark);stroke-width:3;fill:none;stroke-linecap:round;stroke-opacity:.85}\n"
    "svg .tuple.apart{stroke-width:1.5;stroke-dasharray:1 4}\n"
    "image{image-rendering:pixelated}\n"
    ".c0{--c:var(--c0)}.c1{--c:var(--c1)}.c2{--c:var(--c2)}.c3{--c:var(--c3)}.c4{--c:var(--c4)}.c5{--c:var(--c5)}"
    ".c6{--c:var(--c6)}.c7{--c:var(--c7)}\n";

static const char PRINT[] =
    "@media print{@page{margin:16mm 14mm}body{font-size:10.5pt}main{max-width:none;padding:0}"
    "section{margin-top:1.4rem;padding-top:.9rem}figure,.cards>*,tr,dl.facts div{break-inside:avoid}"
    "h2,h3{break-after:avoid}.pair{grid-template-columns:1fr 1fr}.cards{grid-template-columns:repeat(3,1fr)}"
    "details::details-content{content-visibility:visible;block-size:auto}summary{display:none}"
    "*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}\n";

const char *const LM_PAGE_STYLE[] = {COLORS, TEXT, PARTS, CHARTS, PRINT, NULL};
