/** What a page runs, in plain JavaScript. Its own address says where the service is. */
export const PUSH_PAGE_SCRIPT = `(function () {
  'use strict';
  var script = document.currentScript;
  var base = script.src.replace(/\\/push\\.js(\\?.*)?$/, '');
  var account = script.dataset.account;
  var worker = script.dataset.worker || '/sw.js';

  function refusal(code, text) {
    var error = new Error(text);
    error.code = code;
    return error;
  }
  function bytes(key) {
    var binary = atob(key.replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(binary, function (c) { return c.charCodeAt(0); });
  }
  function same(buffer, key) {
    var known = new Uint8Array(buffer || 0);
    return known.length === key.length && known.every(function (byte, i) { return byte === key[i]; });
  }
  async function call(method, path, body) {
    var answer = await fetch(base + path, {
      method: method,
      headers: body ? { 'Content-Type': 'application/json' } : {},
      body: body && JSON.stringify(body),
      credentials: 'omit'
    });
    var parsed = await answer.json();
    if (!answer.ok) throw refusal(parsed.code, parsed.message);
    return parsed;
  }
  /** What the service worker needs where the browser replaces its subscription: in the storage of the site, until it unsubscribes. */
  async function keep(body) {
    if (!('caches' in window)) return;
    var kept = await caches.open('heliograph-push');
    if (body) await kept.put('/heliograph-push', new Response(JSON.stringify(body)));
    else await kept.delete('/heliograph-push');
  }
  function supported() {
    return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  }
  async function current() {
    if (!supported()) return null;
    var registration = await navigator.serviceWorker.getRegistration(worker);
    return registration ? registration.pushManager.getSubscription() : null;
  }
  async function subscription(key) {
    await navigator.serviceWorker.register(worker);
    var registration = await navigator.serviceWorker.ready;
    var known = await registration.pushManager.getSubscription();
    if (known && same(known.options.applicationServerKey, key)) return known;
    if (known) await known.unsubscribe();
    return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  }

  window.heliographPush = {
    supported: supported,
    subscription: current,
    /** Asks for permission, subscribes and resolves with {id, status, contact_id}. Call it from a click. */
    subscribe: async function (options) {
      if (!supported()) throw refusal('unsupported', 'This browser has no push messages.');
      if ((await Notification.requestPermission()) !== 'granted') throw refusal('denied', 'Notifications are not allowed.');
      var key = bytes((await call('GET', '/v1/push/key?account_id=' + encodeURIComponent(account))).public_key);
      var made = await subscription(key);
      var about = options || {};
      var body = {
        account_id: account,
        platform: 'web',
        subscription: made.toJSON(),
        contact: about.contact,
        contact_hash: about.contact_hash,
        device_id: about.device_id,
        locale: navigator.language,
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone
      };
      var answer = await call('POST', '/v1/push/subscribe', body);
      await keep(body).catch(function () {});
      return answer;
    },
    unsubscribe: async function () {
      var made = await current();
      if (!made) return false;
      await call('POST', '/v1/push/unsubscribe', { token: made.endpoint }).catch(function () {});
      await keep(null).catch(function () {});
      return made.unsubscribe();
    }
  };
})();
`;
