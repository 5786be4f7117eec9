/**
 * What a browser runs, on the page and in an embedded form: it sends the form without leaving the page, puts errors beside their fields
 * and announces them, and reports that somebody began to type. A function `attach(form, base)` in plain JavaScript; `base` is the origin
 * of this service. Texts from answers are only ever set as text.
 */
export const ATTACH = `function attach(form, base) {
  var root = form.getRootNode();
  var byId = function (id) { return root.getElementById(id); };
  var summary = form.querySelector('[data-summary]');
  var button = form.querySelector('button');
  var path = base + '/v1/public/forms/' + form.dataset.form;
  var started = false, busy = false;
  function clear() {
    summary.hidden = true;
    summary.textContent = '';
    form.querySelectorAll('.error').forEach(function (line) { line.hidden = true; line.textContent = ''; });
    form.querySelectorAll('[aria-invalid]').forEach(function (field) { field.removeAttribute('aria-invalid'); });
  }
  function announce(title, items) {
    var heading = document.createElement('p');
    heading.textContent = title;
    summary.append(heading);
    var list = document.createElement('ul');
    items.forEach(function (item) {
      var line = document.createElement('li');
      if (item.field) {
        // In a shadow root the address of a link finds no element.
        var link = document.createElement('a');
        link.href = '#' + item.field.id;
        link.textContent = item.name;
        link.addEventListener('click', function (event) { event.preventDefault(); item.field.focus(); });
        line.append(link, ': ' + item.text);
      } else {
        line.textContent = item.name + ': ' + item.text;
      }
      list.append(line);
    });
    if (items.length) summary.append(list);
    summary.hidden = false;
  }
  function nameOf(field, key) {
    var group = form.querySelector('[data-choices="' + CSS.escape(key) + '"] legend');
    var label = group || (field && form.querySelector('label[for="' + CSS.escape(field.id) + '"]'));
    if (!label) return key;
    var caption = label.cloneNode(true);
    caption.querySelectorAll('.soft').forEach(function (note) { note.remove(); });
    return caption.textContent.trim().replace(/[.:]+$/, '');
  }
  function refuse(body) {
    var first = null, items = [];
    (body.errors || []).forEach(function (problem) {
      var key = String(problem.field).replace(/^fields\\./, '');
      var field = byId('f-' + key), line = byId('e-' + key);
      if (line) { line.textContent = problem.message; line.hidden = false; }
      if (field) { field.setAttribute('aria-invalid', 'true'); first = first || field; }
      items.push({ field: field, name: nameOf(field, key), text: problem.message });
    });
    announce(items.length ? summary.dataset.title : form.dataset.failed, items);
    (first || summary).focus();
  }
  function done(body) {
    if (body.redirect_url && /^https?:/i.test(body.redirect_url)) { location.assign(body.redirect_url); return; }
    var text = document.createElement('p');
    text.className = 'status text';
    text.setAttribute('role', 'status');
    text.tabIndex = -1;
    form.replaceWith(text);
    text.textContent = body.message;
    text.focus();
  }
  form.addEventListener('input', function () {
    if (started) return;
    started = true;
    fetch(path + '/start', { method: 'POST', keepalive: true }).catch(function () {});
  });
  form.addEventListener('submit', function (event) {
    event.preventDefault();
    if (busy) return;
    busy = true;
    button.setAttribute('aria-disabled', 'true');
    clear();
    var sent = fetch(path + '/submit', { method: 'POST', headers: { Accept: 'application/json' }, body: new URLSearchParams(new FormData(form)) });
    sent.then(function (answer) {
      return answer.json().then(function (body) { return answer.ok ? done(body) : refuse(body); });
    }).catch(function () { refuse({}); }).then(function () {
      busy = false;
      button.removeAttribute('aria-disabled');
    });
  });
}`;

/** The script of the page and of the frame. */
export const FORM_PAGE_SCRIPT = `(function () {
'use strict';
${ATTACH}
document.querySelectorAll('form[data-form]').forEach(function (form) { attach(form, ''); });
})();
`;

/** The script of an embedded form: it puts the form right behind itself, or into the element with the id in its \`data-target\`. */
export const embedScript = (markup: string, style: string): string => `(function () {
'use strict';
${ATTACH}
  var script = document.currentScript;
  var host = document.createElement('div');
  if (script.dataset.theme) host.dataset.theme = script.dataset.theme;
  var target = script.dataset.target && document.getElementById(script.dataset.target);
  if (target) target.append(host); else script.after(host);
  var root = host.attachShadow({ mode: 'open' });
  root.innerHTML = ${literal(markup)};
  var style = ${literal(style)};
  if (root.adoptedStyleSheets && typeof CSSStyleSheet.prototype.replaceSync === 'function') {
    var sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
  } else {
    var element = document.createElement('style');
    element.textContent = style;
    root.prepend(element);
  }
  attach(root.querySelector('form'), new URL(script.src).origin);
})();
`;

/** A text as a literal of JavaScript, also inside an element of HTML. */
const literal = (text: string): string =>
  JSON.stringify(text).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
