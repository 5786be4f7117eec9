/** The script of a page: a bell, a list and toasts. It starts by its own tag, or by `heliographInbox.mount(element, options)`. */
import { Client, type Message, type Page } from './client.js';
import { TEXTS, type Texts } from './texts.js';
import { type Action, type Filter, View } from './view.js';

export interface Options {
  /** Of `POST /v1/inbox/tokens`. */
  readonly token?: string;
  /** Gets a token, at first and whenever one has expired. */
  readonly getToken?: () => Promise<string>;
  /** The service; by default where this script is from. */
  readonly base?: string;
  readonly toasts?: boolean;
  readonly texts?: Partial<Texts>;
}

export interface Mounted {
  remove(): void;
}

const script = document.currentScript as HTMLScriptElement | null;

function mount(
  target: Element,
  { token, getToken, base = new URL(script?.src ?? location.href).origin, toasts = true, texts = {} }: Options,
): Mounted {
  const all = { ...TEXTS, ...texts };
  const host = document.createElement('span');
  if (target instanceof HTMLElement && target.dataset.theme) host.dataset.theme = target.dataset.theme;
  let filter: Filter = 'all';
  let messages: Message[] = [];
  let cursor: string | null = null;
  let isLoaded = false;
  let latest = 0;

  const tell = (name: string, detail: unknown): boolean =>
    host.dispatchEvent(new CustomEvent(`inbox:${name}`, { detail, bubbles: true, composed: true, cancelable: true }));
  const fits = ({ archived_at, read_at }: Message): boolean =>
    filter === 'archived' ? archived_at !== null : archived_at === null && (filter === 'all' || read_at === null);
  const render = (): void => {
    if (isLoaded) view.show(messages, cursor !== null);
  };

  function put(message: Message): void {
    const others = messages.filter(({ id }) => id !== message.id);
    const oldest = messages.at(-1)?.created_at ?? '';
    const isInReach = cursor === null || message.created_at >= oldest;
    messages = fits(message) && isInReach ? [...others, message].sort((a, b) => (a.created_at < b.created_at ? 1 : -1)) : others;
    render();
  }

  async function load(more = false): Promise<void> {
    const nth = ++latest;
    const after = more && cursor !== null ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const page = await client.call<Page>('GET', `messages?limit=20&filter=${filter}${after}`);
    if (nth !== latest) return;
    messages = more ? [...messages, ...page.data.filter(({ id }) => messages.every((one) => one.id !== id))] : [...page.data];
    cursor = page.next_cursor;
    isLoaded = true;
    render();
  }

  const attempt = (work: Promise<unknown>): void => void work.catch(() => view.say(all.failed));
  const act = (message: Message, action: Action): void => attempt(client.call<Message>('POST', `messages/${message.id}/${action}`).then(put));

  const view = new View(host, all, {
    opened() {
      attempt(load());
      attempt(client.call('POST', 'messages/seen-all'));
    },
    filter(wanted) {
      filter = wanted;
      attempt(load());
    },
    more: () => attempt(load(true)),
    readAll: () => attempt(client.call('POST', 'messages/read-all')),
    act,
    click(message) {
      act(message, 'click');
      return tell('click', message);
    },
  });
  const client = new Client(base, token, getToken, {
    message(message) {
      if (isLoaded) put(message);
      if (!tell('message', message) || message.seen_at !== null) return;
      view.say(`${all.arrived} ${message.title ?? message.message}`);
      if (toasts) view.toast(message);
      if (view.isOpen) attempt(client.call('POST', `messages/${message.id}/seen`));
    },
    update: (message) => isLoaded && put(message),
    counts(counts) {
      view.counts(counts);
      tell('counts', counts);
    },
    restart: () => isLoaded && attempt(load()),
    end: () => tell('end', null),
  });

  target.append(host);
  void client.follow();
  return {
    remove() {
      client.stop();
      view.remove();
    },
  };
}

/** `data-token`, or `data-token-url`: an address of the site that answers `{"token": "hit_…"}` to whom is signed in there. */
function start({ dataset, parentElement }: HTMLScriptElement): void {
  const { token, tokenUrl, target, toasts } = dataset;
  if (token === undefined && tokenUrl === undefined) return;
  const place = target === undefined ? parentElement : document.querySelector(target);
  if (!place) throw new Error(`inbox.js: there is no ${target}`);
  const getToken = async () => ((await (await fetch(tokenUrl ?? '', { credentials: 'same-origin' })).json()) as { token: string }).token;
  mount(place, { ...(token !== undefined && { token }), ...(tokenUrl !== undefined && { getToken }), toasts: toasts !== 'off' });
}

Object.assign(window, { heliographInbox: { mount } });
if (script) {
  if (script.dataset.target === undefined || document.readyState !== 'loading') start(script);
  else document.addEventListener('DOMContentLoaded', () => start(script));
}
