/**
 * The pages' one style sheet, as text for the browser: calm, readable at 390 px and on
 * a wide screen, in light and dark. Colour never says anything that a word does not.
 *
 * Pure data. Source: host facts §9 (theme, inline style under CSP hashes).
 */
const LIGHT = `--back:#fbfbfa;--face:#ffffff;--line:#dcdcd8;--text:#1d1f21;--soft:#5a5f66;--link:#0b57a4;
--good:#17683a;--good-back:#e6f3ea;--bad:#a4232c;--bad-back:#fbe9ea;--wait:#7a4f00;--wait-back:#fbf0d9;
--calm:#4a5058;--calm-back:#ececea;--own:#8a5a00;--provider:#2f6fb0;color-scheme:light;`;
const DARK = `--back:#15171a;--face:#1d2024;--line:#353a41;--text:#e6e7e9;--soft:#a4abb4;--link:#8ec1f7;
--good:#86d7a4;--good-back:#173322;--bad:#ff9f9f;--bad-back:#431d20;--wait:#f0c46c;--wait-back:#3b2d0c;
--calm:#c3c8cf;--calm-back:#2c3036;--own:#e0ad4d;--provider:#6aa9e9;color-scheme:dark;`;

const BASE = `
:root{${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}
:root[data-theme=light]{${LIGHT}}
:root[data-theme=dark]{${DARK}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:68rem;margin:0 auto;padding:0 1.25rem}
header{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:baseline;padding-top:1rem;padding-bottom:.75rem}
main{padding-top:.5rem;padding-bottom:2rem;outline:none}
footer{padding-bottom:2rem;color:var(--soft);font-size:.87rem}
footer p{border-top:1px solid var(--line);padding-top:.75rem;margin:0}
h1{font-size:1.45rem;line-height:1.25;margin:.25rem 0 1rem}
h2{font-size:1.05rem;margin:0 0 .5rem}
h3{font-size:.95rem;margin:0 0 .5rem}
p{margin:.35rem 0}
ul,ol,dl,dd{margin:0;padding:0}
ul,ol{list-style:none}
a{color:var(--link);text-underline-offset:.15em}
a:focus-visible,button:focus-visible,input:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
main:focus-visible{outline:none}
code,pre,.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.88em}
.id{unicode-bidi:isolate}
section{margin:0 0 1.75rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-100rem;top:.5rem;background:var(--face);padding:.4rem .75rem;border:1px solid var(--line);z-index:1}
.skip:focus{left:.5rem}
.none,.note,.beside,.timing,.empty,.back{color:var(--soft)}
.note,.beside,.timing{font-size:.87rem}
.what{font-size:1.05rem}
details summary{cursor:pointer;color:var(--link)}
[hidden]{display:none!important}
`;

const PARTS = `
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
nav a[aria-current]{color:var(--text);font-weight:600;text-decoration-thickness:2px}
.mark{display:inline-block;padding:.05rem .5rem;border-radius:1rem;font-weight:600;white-space:nowrap}
.mark.good{color:var(--good);background:var(--good-back)}
.mark.bad{color:var(--bad);background:var(--bad-back)}
.mark.wait{color:var(--wait);background:var(--wait-back)}
.mark.calm{color:var(--calm);background:var(--calm-back)}
.banner,.card{background:var(--face);border:1px solid var(--line);border-left:4px solid var(--line);border-radius:6px;padding:.85rem 1rem}
.banner.good,.card.good{border-left-color:var(--good)}
.banner.bad,.card.bad{border-left-color:var(--bad)}
.banner.wait,.card.wait{border-left-color:var(--wait)}
.banner.calm,.card.calm{border-left-color:var(--calm)}
.banner{margin-bottom:1.25rem}
.banner h2 .beside{font-weight:400}
.command{background:var(--calm-back);padding:.1rem .4rem;border-radius:4px}
.checks{margin-top:.5rem;display:grid;gap:.4rem}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:1rem;margin-bottom:1.75rem}
.card{margin:0 0 1rem}
.cards .card{margin:0}
.find{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin-bottom:1rem}
.find input{flex:1 1 14rem;max-width:28rem}
input,button{font:inherit;color:inherit;background:var(--face);border:1px solid var(--soft);border-radius:6px;padding:.3rem .6rem;min-height:2.25rem}
button{cursor:pointer}
.filters{margin-bottom:1.5rem;display:grid;gap:.35rem}
.filter{display:grid;grid-template-columns:7.5rem 1fr;gap:.75rem}
.filter>span{color:var(--soft)}
.facts{display:grid;gap:.4rem}
.facts>div{display:grid;grid-template-columns:11rem minmax(0,1fr);gap:.75rem}
dt{color:var(--soft)}
.ids{display:flex;flex-wrap:wrap;gap:.15rem 1rem}
.digest summary{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.88em;white-space:nowrap}
.digest code{display:block;overflow-wrap:anywhere;min-width:14rem}
.record{margin-top:.35rem}
pre{background:var(--face);border:1px solid var(--line);border-radius:6px;padding:.75rem;overflow:auto;max-height:28rem;white-space:pre-wrap}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;overflow-wrap:normal}
th,td{text-align:left;vertical-align:top;padding:.4rem .9rem .4rem 0;border-bottom:1px solid var(--line)}
thead th{color:var(--soft);font-weight:500;white-space:nowrap}
tbody th{font-weight:500}
th:last-child,td:last-child{padding-right:0}
.figures td,.figures th{white-space:nowrap}
`;

const PAGES = `
.day{margin:1.1rem 0 .35rem;color:var(--soft);font-weight:500}
.turns{border-top:1px solid var(--line)}
.turn{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.6fr);grid-template-rows:auto 1fr;gap:.1rem 1.5rem;padding:.6rem 0;border-bottom:1px solid var(--line)}
.turn .when{grid-column:1;font-weight:500}
.turn .when time{font-variant-numeric:tabular-nums}
.turn .where{grid-column:1;margin:0;color:var(--soft)}
.turn .stages{grid-column:2;grid-row:1/span 2;display:grid;grid-template-columns:minmax(0,.85fr) minmax(0,1fr);gap:.5rem 1rem}
.turn dt{font-size:.8rem;margin-bottom:.15rem}
.paging{margin-top:1rem}
.story li{display:grid;grid-template-columns:5.5rem 1.2rem minmax(0,1fr);gap:.25rem;padding:.2rem 0}
.story .after{color:var(--soft);font-variant-numeric:tabular-nums;font-size:.87rem;padding-top:.1rem}
.story .good .sign{color:var(--good)}
.story .bad .sign{color:var(--bad)}
.card .state{margin:.1rem 0 .5rem}
figure{margin:0}
figcaption{margin-top:.35rem}
svg{display:block;width:100%;max-width:60rem;height:auto}
svg text{fill:var(--soft);font-size:12px;text-anchor:end}
.grid{stroke:var(--line)}
rect.own{fill:var(--own)}
rect.provider{fill:var(--provider)}
figcaption{color:var(--soft);font-size:.87rem}
.key{display:inline-block;width:.8rem;height:.8rem;border-radius:2px;vertical-align:-.1rem;margin-left:.75rem}
.key:first-child{margin-left:0}
.key.own{background:var(--own)}
.key.provider{background:var(--provider)}
.slowest{display:grid;gap:.3rem}
.lead{margin-bottom:1.5rem;max-width:46rem}
@media (max-width:44rem){
header,main,footer{padding-left:1rem;padding-right:1rem}
.turn{grid-template-columns:minmax(0,1fr);gap:.35rem}
.turn .stages{grid-column:1;grid-row:auto}
.turn .beside{display:block;margin-top:.15rem}
.find label{flex-basis:100%}
.filter,.facts>div{grid-template-columns:minmax(0,1fr);gap:.1rem}
.facts{gap:.6rem}
.story li{grid-template-columns:1.2rem minmax(0,1fr)}
.story .after{grid-column:1/-1}
.story .after:empty{display:none}
svg text{font-size:20px}
}
@media (forced-colors:active){.mark{border:1px solid}}
`;

export const STYLE = BASE + PARTS + PAGES;
