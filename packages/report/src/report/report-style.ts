/** The look of the page; light and dark, on screen and on paper. */
export const REPORT_STYLE = `
:root{color-scheme:light dark;--ink:#1d2230;--soft:#5d6577;--line:#e3e6ec;--paper:#f6f7f9;--card:#fff;--skinned:#8a5a00;--baked:#127a6d;--accent:#127a6d;--bad:#c62828;--warn:#8a5a00;--warnbg:#fff6e0;--figure:#eceef2}
@media (prefers-color-scheme:dark){:root{--ink:#e8ebf2;--soft:#9aa3b5;--line:#2c3342;--paper:#12161f;--card:#1a202c;--skinned:#e0b060;--baked:#4fd1bd;--accent:#4fd1bd;--bad:#ff6b6b;--warn:#ffd479;--warnbg:#2e2610;--figure:#232a38}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;-webkit-font-smoothing:antialiased}
main{max-width:1080px;margin:0 auto;padding:40px 24px 72px}
header{margin-bottom:28px}
.brand{font-size:13px;letter-spacing:.08em;text-transform:uppercase;color:var(--accent);font-weight:650}
h1{font-size:34px;line-height:1.15;margin:6px 0 8px;letter-spacing:-.02em;overflow-wrap:anywhere}
h2{font-size:22px;margin:0;letter-spacing:-.01em;overflow-wrap:anywhere}
h3{font-size:15px;margin:26px 0 8px}
p{margin:0 0 8px;color:var(--soft)}
.cards{display:grid;grid-template-columns:1.5fr 1.3fr 1fr 1fr 1fr;gap:14px}
.summary{background:none;border:0;padding:0}
.verdict{font-size:17px;font-weight:600;margin:0 0 14px;overflow-wrap:anywhere}
nav{display:flex;flex-wrap:wrap;gap:6px 18px;margin:0 0 22px}a{color:var(--accent);overflow-wrap:anywhere}.up{text-align:right;margin:10px 0 0;font-size:13px}
.player{margin:0 0 16px;background:var(--figure);border-radius:12px;overflow:hidden}.player canvas{width:100%;height:440px;display:block;cursor:grab;touch-action:pan-y}
.sides{display:grid;grid-template-columns:1fr 1fr;text-align:center;font-weight:600;font-size:13px;padding-top:10px}
.controls{display:flex;flex-wrap:wrap;align-items:center;gap:12px;padding:10px 14px;font-size:13px;color:var(--soft)}.controls input{flex:1;min-width:120px;accent-color:var(--accent)}.controls output{font-variant-numeric:tabular-nums;min-width:52px}
button{font:inherit;font-weight:600;padding:4px 14px;border-radius:8px;border:1px solid var(--line);background:var(--card);color:var(--ink);cursor:pointer}
.card,section{background:var(--card);border:1px solid var(--line);border-radius:14px}
.card{padding:16px 18px}
.card b{display:block;font-size:22px;white-space:nowrap;line-height:1.2;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.card>span{color:var(--soft);font-size:13px;overflow-wrap:anywhere}
.card i{font-style:normal;color:var(--soft);font-weight:400;padding:0 .25em}
section{padding:24px 26px 26px;margin:0 0 22px}
.head{display:flex;flex-wrap:wrap;gap:6px 18px;align-items:baseline;justify-content:space-between;margin-bottom:14px}
.head p{margin:0}
.plot{width:100%;height:auto;display:block}
.plot text{font-size:12px;fill:var(--soft);font-variant-numeric:tabular-nums}
.plot path,.spark path{fill:none;stroke-width:2.2;stroke-linejoin:round}
.spark{width:150px;height:30px;display:block}.spark path{stroke-width:1.6}
path.skinned{stroke:var(--skinned)}path.baked{stroke:var(--baked)}
.grid{stroke:var(--line)}.axis{stroke:var(--soft);opacity:.7}
.legend{display:flex;flex-wrap:wrap;gap:6px 20px;font-size:13px;color:var(--soft);margin:8px 0 0}
.legend span::before{content:"";display:inline-block;width:18px;height:3px;border-radius:2px;margin-right:7px;vertical-align:middle;background:var(--c)}
.poses{display:grid;grid-template-columns:repeat(3,1fr);gap:14px;margin:18px 0 4px}
figure{margin:0;background:var(--figure);border-radius:12px;overflow:hidden}
figure img{width:100%;height:auto;display:block}
figcaption{padding:8px 12px 10px;font-size:13px;color:var(--soft)}
figcaption b{color:var(--ink);font-weight:600}
.scale{height:7px;border-radius:4px;margin:6px 0 3px}
.scale+div{display:flex;justify-content:space-between;font-size:12px}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}
th{font-weight:600;text-align:right;color:var(--soft);font-size:12.5px;padding:6px 10px;border-bottom:1px solid var(--line);white-space:nowrap}
td{text-align:right;padding:6px 10px;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child{text-align:left;padding-left:0;white-space:normal;overflow-wrap:anywhere}
th:last-child,td:last-child{padding-right:0}
tr:last-child td{border-bottom:0}
.bad{color:var(--bad);font-weight:600}.good{color:var(--baked);font-weight:600}
td .spark{margin-left:auto}
.warnings{background:var(--warnbg);border-color:transparent}
.warnings ul{margin:10px 0 0;padding-left:20px;color:var(--warn)}
details{margin-top:14px}summary{cursor:pointer;color:var(--accent);font-weight:600}
pre{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:14px;overflow:auto;font:12.5px/1.5 ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace}
dl{display:grid;grid-template-columns:max-content 1fr;gap:5px 22px;margin:12px 0 0;font-variant-numeric:tabular-nums}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
footer{color:var(--soft);font-size:13px;text-align:center;margin-top:30px}
@media (max-width:820px){.cards{grid-template-columns:1fr 1fr}}
@media (max-width:720px){.poses{grid-template-columns:1fr}h1{font-size:27px}main{padding:24px 14px}section{padding:18px 16px}}
@media print{body{background:#fff}section,.card{break-inside:avoid}details{display:none}}
`;
