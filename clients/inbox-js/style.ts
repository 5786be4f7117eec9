/** The style of the inbox, in a shadow root. A page sets the variables that begin with `--inbox-` on the element or above it. */
const LIGHT =
  '--bg:var(--inbox-background,#fff);--fg:var(--inbox-text,#1d2430);--soft:var(--inbox-soft,#4a5364);--line:var(--inbox-line,#d5dae2);--hover:var(--inbox-hover,#f1f4f9);--accent:var(--inbox-accent,#1f4fd8);--on:var(--inbox-on-accent,#fff)';
const DARK =
  '--bg:var(--inbox-background,#1b212b);--fg:var(--inbox-text,#e2e7ef);--soft:var(--inbox-soft,#b3bdcc);--line:var(--inbox-line,#3a4557);--hover:var(--inbox-hover,#262e3b);--accent:var(--inbox-accent,#9dbcff);--on:var(--inbox-on-accent,#0d1526)';

export const STYLE = `
:host{all:initial;display:inline-block;position:relative;color-scheme:light;${LIGHT}}
:host([data-theme=dark]){color-scheme:dark;${DARK}}
@media(prefers-color-scheme:dark){:host(:not([data-theme=light])){color-scheme:dark;${DARK}}}
*{box-sizing:border-box;margin:0}
[hidden]{display:none!important}
:host,button,a{font:15px/1.45 var(--inbox-font,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif);color:var(--fg)}
button{background:none;border:0;padding:0;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:-2px}
svg{width:20px;height:20px;display:block;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.bell{position:relative;width:44px;height:44px;display:grid;place-items:center;border-radius:50%;color:var(--inbox-bell,var(--fg))}
.bell:hover{background:var(--hover)}
.bell svg{width:24px;height:24px}
.badge{position:absolute;top:2px;right:0;min-width:19px;padding:0 5px;border-radius:10px;background:var(--inbox-badge,#c62828);color:#fff;font-size:12px;font-weight:700;line-height:19px;text-align:center}
.panel{position:absolute;z-index:var(--inbox-z,1000);top:calc(100% + 6px);right:0;width:400px;max-height:min(620px,calc(100vh - 90px));display:flex;flex-direction:column;background:var(--bg);border:1px solid var(--line);border-radius:var(--inbox-radius,12px);box-shadow:0 12px 40px #0003;overflow:hidden}
.left{right:auto;left:0}
.head{display:flex;align-items:center;gap:4px;padding:10px 10px 6px 16px}
h2{font:inherit;font-size:18px;font-weight:700;flex:1}
.act{display:grid;place-items:center;min-width:40px;height:40px;border-radius:8px;color:var(--soft)}
.act:hover,.act:focus-visible{background:var(--hover);color:var(--fg)}
.tabs{display:flex;gap:4px;padding:0 12px 10px;border-bottom:1px solid var(--line)}
.tab{padding:6px 12px;border-radius:999px;color:var(--soft);font-weight:600;font-size:14px}
.tab:hover{background:var(--hover)}
.tab[aria-pressed=true]{background:var(--accent);color:var(--on)}
.list{overflow:auto;overscroll-behavior:contain;flex:1}
ul{list-style:none;padding:0}
li{position:relative;display:flex;align-items:flex-start;border-bottom:1px solid var(--line)}
li:last-child{border:0}
li:hover{background:var(--hover)}
.open{display:block;flex:1;min-width:0;padding:12px 4px 12px 28px;text-align:left;text-decoration:none;overflow-wrap:anywhere}
.unread .open:before{content:"";position:absolute;left:11px;top:19px;width:8px;height:8px;border-radius:50%;background:var(--accent)}
.title{display:block;font-weight:600}
.unread .title{font-weight:700}
.text{display:block;white-space:pre-line}
time{display:block;margin-top:2px;font-size:13px;color:var(--soft)}
li .act{margin:8px 2px 0 0;min-width:36px;height:36px}
.empty{padding:48px 24px;text-align:center;color:var(--soft)}
.more{display:block;width:100%;padding:12px;color:var(--accent);font-weight:600}
.toasts{position:fixed;z-index:calc(var(--inbox-z,1000) + 1);right:16px;bottom:16px;width:min(360px,calc(100vw - 32px));display:grid;gap:8px}
.toast{display:flex;align-items:flex-start;background:var(--bg);border:1px solid var(--line);border-left:4px solid var(--accent);border-radius:var(--inbox-radius,12px);box-shadow:0 8px 28px #0004}
.toast .open{padding-left:14px}
.toast .act{margin:6px 4px 0 0}
.clamp{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
@media(max-width:480px){.panel{position:fixed;inset:0;width:auto;max-height:none;border:0;border-radius:0}}
`;
