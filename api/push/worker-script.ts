/**
 * What a service worker runs, in plain JavaScript. It only handles pushes of this service, so a site can have others besides. A message
 * that arrives twice has the same tag: it takes the place of the first one, without a sound.
 */
export const WORKER_SCRIPT = `(function () {
  'use strict';
  var base = BASE_URL;

  function read(event) {
    try {
      var message = event.data.json();
      return typeof message.message_id === 'string' && typeof message.token === 'string' ? message : null;
    } catch (e) {
      return null;
    }
  }
  function report(about, event) {
    return fetch(about.events_url || base + '/v1/public/push/events', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ message_id: about.message_id, token: about.token, event: event }),
      credentials: 'omit',
      keepalive: true
    }).catch(function () {});
  }
  function isWeb(url) {
    try {
      return /^https?:$/.test(new URL(url, self.location.href).protocol);
    } catch (e) {
      return false;
    }
  }
  async function go(url) {
    var wanted = new URL(url, self.location.href).href;
    var pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    var page = pages.find(function (one) { return one.url === wanted; });
    return page ? page.focus() : self.clients.openWindow(wanted);
  }

  function post(path, body) {
    return fetch(base + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), credentials: 'omit' });
  }
  /** The new subscription takes the place of the one that the page has made. */
  async function renew() {
    var kept = await caches.open('heliograph-push');
    var found = await kept.match('/heliograph-push');
    if (!found) return;
    var body = await found.json();
    var manager = self.registration.pushManager;
    var made = await manager.getSubscription();
    if (!made) {
      var key = await (await fetch(base + '/v1/push/key?account_id=' + encodeURIComponent(body.account_id))).json();
      made = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key.public_key });
    }
    var before = body.subscription.endpoint;
    body.subscription = made.toJSON();
    var answer = await post('/v1/push/subscribe', body);
    if (!answer.ok) return;
    await kept.put('/heliograph-push', new Response(JSON.stringify(body)));
    if (before !== made.endpoint) await post('/v1/push/unsubscribe', { token: before }).catch(function () {});
  }

  self.addEventListener('pushsubscriptionchange', function (event) {
    event.waitUntil(renew());
  });

  self.addEventListener('push', function (event) {
    var message = read(event);
    if (!message) return;
    var actions = message.actions || [];
    var about = { message_id: message.message_id, token: message.token, events_url: message.events_url, url: message.url, actions: actions, data: message.data };
    var options = {
      body: message.body,
      tag: message.tag,
      data: { heliograph: about },
      actions: actions.slice(0, 2).map(function (one) { return { action: one.id, title: one.title }; })
    };
    if (message.image) options.image = message.image;
    event.waitUntil(self.registration.showNotification(message.title || '', options).then(function () { return report(about, 'delivered'); }));
  });

  self.addEventListener('notificationclick', function (event) {
    var about = (event.notification.data || {}).heliograph;
    if (!about) return;
    event.notification.close();
    var chosen = about.actions.find(function (one) { return one.id === event.action; });
    var url = (chosen && chosen.url) || about.url;
    event.waitUntil(Promise.all([report(about, 'clicked'), url && isWeb(url) ? go(url).catch(function () {}) : null]));
  });

  self.addEventListener('notificationclose', function (event) {
    var about = (event.notification.data || {}).heliograph;
    if (about) event.waitUntil(report(about, 'dismissed'));
  });
})();
`;
