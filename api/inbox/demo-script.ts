/** What the demo page runs: it shows the inbox, sends messages to it, and lists the events of its stream. Texts are only set as text. */
export const DEMO_SCRIPT = `(function () {
  var byId = function (id) { return document.getElementById(id); };
  var bell = byId('bell'), status = byId('status'), log = byId('log'), curl = byId('curl');
  var named = false, count = 0;
  function post(what) {
    return fetch('/demo/inbox/' + what, { method: 'POST' }).then(function (answer) {
      return answer.json().then(function (body) {
        if (!answer.ok) throw new Error(body.error || String(answer.status));
        return body;
      });
    });
  }
  function getToken() {
    return post('tokens').then(function (body) {
      if (!named) curl.textContent = curl.textContent.replace('CONTACT', body.contact_id);
      named = true;
      return body.token;
    });
  }
  function note(name, text) {
    byId('none').hidden = true;
    var line = document.createElement('li'), number = document.createElement('span'), code = document.createElement('code'), about = document.createElement('span');
    number.className = 'number';
    number.textContent = '#' + ++count;
    code.textContent = name;
    about.textContent = text;
    line.append(number, code, about);
    log.prepend(line);
    while (log.children.length > 8) log.lastChild.remove();
  }
  bell.addEventListener('inbox:message', function (event) { note('message', event.detail.title || event.detail.message); });
  bell.addEventListener('inbox:counts', function (event) { note('counts', event.detail.unread + ' unread, ' + event.detail.unseen + ' unseen'); });
  bell.addEventListener('inbox:end', function () { note('end', 'The inbox cannot be opened any more.'); });
  window.heliographInbox.mount(bell, { getToken: getToken });
  document.querySelectorAll('button.send').forEach(function (button) {
    button.addEventListener('click', function () {
      var count = Number(button.dataset.count), sent = 0;
      function next() {
        return post('messages').then(function () { return ++sent < count ? next() : null; });
      }
      next().then(
        function () { status.textContent = sent === 1 ? 'One message sent.' : sent + ' messages sent.'; },
        function (error) { status.textContent = 'It was not sent: ' + error.message; }
      );
    });
  });
})();
`;
