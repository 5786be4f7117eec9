import type { Counts, Message } from './client.js';
import { ago, el, type Icon, icon, webAddress } from './dom.js';
import { STYLE } from './style.js';
import type { Texts } from './texts.js';

export type Filter = 'all' | 'unread' | 'archived';
export type Action = 'read' | 'unread' | 'archive' | 'unarchive' | 'click';

/** What a person does. */
export interface Intents {
  opened(): void;
  filter(filter: Filter): void;
  more(): void;
  readAll(): void;
  act(message: Message, action: Action): void;
  /** Whether the browser may follow the link. */
  click(message: Message): boolean;
}

const TOAST_MS = 7_000;
const MAX_TOASTS = 3;

/** The bell, the panel with the list, and the toasts, in a shadow root. */
export class View {
  readonly #badge = el('span', { class: 'badge', 'aria-hidden': 'true', hidden: true });
  readonly #bell: HTMLButtonElement;
  readonly #panel: HTMLElement;
  readonly #list = el('ul', { role: 'list' });
  readonly #empty: HTMLElement;
  readonly #more: HTMLButtonElement;
  readonly #live = el('div', { class: 'sr', role: 'status' });
  readonly #toasts: HTMLElement;
  readonly #tabs: Map<Filter, HTMLButtonElement>;
  readonly #outside = (event: Event): void => {
    if (!event.composedPath().includes(this.host)) this.close(false);
  };

  constructor(
    private readonly host: HTMLElement,
    private readonly texts: Texts,
    private readonly on: Intents,
  ) {
    this.#bell = el(
      'button',
      { type: 'button', class: 'bell', 'aria-haspopup': 'dialog', 'aria-expanded': 'false', onclick: () => this.#toggle() },
      icon('bell'),
      this.#badge,
    );
    const tabs = (['all', 'unread', 'archived'] as const).map(
      (filter) =>
        [
          filter,
          el(
            'button',
            { type: 'button', class: 'tab', 'aria-pressed': `${filter === 'all'}`, onclick: () => this.#filter(filter) },
            texts.tabs[filter],
          ),
        ] as const,
    );
    this.#tabs = new Map(tabs);
    this.#empty = el('p', { class: 'empty' }, texts.empty);
    this.#more = el('button', { type: 'button', class: 'more', hidden: true, onclick: () => on.more() }, texts.more);
    this.#panel = el(
      'div',
      { class: 'panel', role: 'dialog', 'aria-label': texts.name, tabindex: '-1', hidden: true },
      el(
        'div',
        { class: 'head' },
        el('h2', {}, texts.name),
        button('checks', texts.readAll, () => on.readAll()),
        button('close', texts.close, () => this.close()),
      ),
      el('div', { class: 'tabs', role: 'group', 'aria-label': texts.show }, ...this.#tabs.values()),
      el('div', { class: 'list' }, this.#list, this.#empty, this.#more),
    );
    this.#toasts = el('section', { class: 'toasts', 'aria-label': texts.toasts });
    const root = host.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    root.append(this.#bell, this.#panel, this.#live, this.#toasts);
    this.#panel.addEventListener('keydown', (event) => this.#key(event));
    this.counts({ unseen: 0, unread: 0 });
  }

  get isOpen(): boolean {
    return !this.#panel.hidden;
  }

  close(isFocused = true): void {
    if (!this.isOpen) return;
    this.#panel.hidden = true;
    this.#bell.setAttribute('aria-expanded', 'false');
    document.removeEventListener('click', this.#outside);
    if (isFocused) this.#bell.focus();
  }

  remove(): void {
    this.close(false);
    this.host.remove();
  }

  counts({ unread }: Counts): void {
    this.#badge.hidden = unread === 0;
    this.#badge.textContent = unread > 99 ? '99+' : `${unread}`;
    this.#bell.setAttribute('aria-label', unread === 0 ? this.texts.name : `${this.texts.name}, ${this.texts.count(unread)}`);
  }

  /** Keeps the focus at the same place of the list. */
  show(messages: readonly Message[], hasMore: boolean): void {
    const active = (this.host.shadowRoot?.activeElement ?? null) as HTMLElement | null;
    const item = active?.closest('li');
    const at = item ? [...this.#list.children].indexOf(item) : -1;
    this.#list.replaceChildren(...messages.map((message) => this.#item(message)));
    this.#empty.hidden = messages.length > 0;
    this.#more.hidden = !hasMore;
    if (!item || !active) return;
    const same = [...this.#list.children].find((one) => (one as HTMLElement).dataset.id === item.dataset.id);
    const next =
      same?.querySelector<HTMLElement>(`[data-at="${active.dataset.at}"]`) ?? this.#opens()[Math.min(at, messages.length - 1)] ?? this.#panel;
    next.focus();
  }

  say(text: string): void {
    this.#live.textContent = text;
  }

  toast(message: Message): void {
    if (this.isOpen) return;
    const hide = () => toast.remove();
    const toast = el('div', { class: 'toast' }, this.#open(message, 'clamp', hide), button('close', this.texts.dismiss, hide));
    while (this.#toasts.children.length >= MAX_TOASTS) this.#toasts.firstChild?.remove();
    this.#toasts.append(toast);
    // A toast that somebody points at or is in stays.
    const later = () => setTimeout(() => (toast.matches(':hover,:focus-within') ? later() : hide()), TOAST_MS);
    later();
  }

  #toggle(): void {
    if (this.isOpen) {
      this.close();
      return;
    }
    this.#panel.hidden = false;
    this.#panel.classList.toggle('left', this.#bell.getBoundingClientRect().right < 410);
    this.#bell.setAttribute('aria-expanded', 'true');
    this.#toasts.replaceChildren();
    document.addEventListener('click', this.#outside);
    this.#panel.focus();
    this.on.opened();
  }

  #filter(filter: Filter): void {
    for (const [one, tab] of this.#tabs) tab.setAttribute('aria-pressed', `${one === filter}`);
    this.on.filter(filter);
  }

  #opens(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>('.open')];
  }

  #key(event: KeyboardEvent): void {
    const all = this.#opens();
    const at = all.findIndex((one) => one.closest('li')?.contains(this.host.shadowRoot?.activeElement ?? null));
    const to = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), Home: 0, End: all.length - 1 }[event.key];
    if (event.key === 'Escape') this.close();
    else if (to !== undefined) all[Math.min(to, all.length - 1)]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #open(message: Message, textClass: string, after: () => void): HTMLElement {
    const { texts } = this;
    const href = webAddress(message.action_url);
    const click = (event: Event) => {
      if (!this.on.click(message)) event.preventDefault();
      after();
    };
    return el(
      href === null ? 'button' : 'a',
      { class: 'open', 'data-at': 'open', onclick: click, ...(href === null ? { type: 'button' } : { href }) },
      ...(message.read_at === null ? [el('span', { class: 'sr' }, `${texts.isUnread} `)] : []),
      ...(message.title === null ? [] : [el('span', { class: 'title' }, message.title)]),
      el('span', { class: `text ${textClass}` }, message.message),
      el('time', { datetime: message.created_at }, ago(message.created_at)),
    );
  }

  #item(message: Message): HTMLElement {
    const { texts, on } = this;
    const act = (action: Action, name: Icon) => {
      const made = button(name, `${texts[action]}: ${message.title ?? message.message.slice(0, 60)}`, () => on.act(message, action));
      made.title = texts[action];
      made.dataset.at = name;
      return made;
    };
    const isUnread = message.read_at === null && message.archived_at === null;
    return el(
      'li',
      { class: isUnread ? 'unread' : '', 'data-id': message.id },
      this.#open(message, '', () => {}),
      ...(message.archived_at === null
        ? [isUnread ? act('read', 'check') : act('unread', 'dot'), act('archive', 'archive')]
        : [act('unarchive', 'back')]),
    );
  }
}

const button = (name: Icon, label: string, onclick: () => void): HTMLButtonElement =>
  el('button', { type: 'button', class: 'act', 'aria-label': label, title: label, onclick }, icon(name));
