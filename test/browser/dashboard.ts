import type { BrowserContextOptions, Page } from 'playwright-core';
import { PASSWORD, Service } from '../support/service.js';
import { type Browser, startBrowser } from './browser.js';

/** Limits that no spec reaches by accident, but that of failed sign-ins of one email. */
export const FAILED_SIGN_INS = 5;
const LIMITS = JSON.stringify({ send: 1e6, bulk: 1e6, general: 1e6, login: 1e6, public: 1e6, login_user: FAILED_SIGN_INS });

export interface Opened {
  readonly page: Page;
  /** Errors that the page has thrown, and what it logged as an error besides failed requests. */
  readonly complaints: string[];
}

interface Dashboard {
  readonly service: Service;
  readonly browser: Browser;
  /** A browser of its own without a session. */
  open(path: string, options?: BrowserContextOptions): Promise<Opened>;
  /** The same, signed in. */
  enter(path: string, email?: string, options?: BrowserContextOptions): Promise<Opened>;
  /** A user of the account with this role, whose email begins with the name. Its password is that of the tests. */
  user(name: string, role: 'owner' | 'member' | 'analyst'): Promise<string>;
}

export const password = PASSWORD;

/** For the suite that calls this: a service and a browser. Its specs are skipped if there is no browser. */
export function dashboardInBrowser(): Dashboard {
  let browser: Browser | null = null;
  let service: Service | null = null;
  const running = (): Service => {
    if (!service) throw new Error('nothing is started before the specs run');
    return service;
  };
  before(async function () {
    browser = await startBrowser();
    if (!browser) this.skip();
    service = await Service.start({ HELIOGRAPH_RATE_LIMITS: LIMITS });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function opened(path: string, options: BrowserContextOptions, email?: string): Promise<Opened> {
    if (!browser) throw new Error('there is no browser');
    const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, ...options });
    if (email !== undefined) {
      const answer = await context.request.post(`${running().url}/v1/auth/session`, { data: { email, password } });
      if (!answer.ok()) throw new Error(`no session: ${answer.status()} ${await answer.text()}`);
    }
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${running().url}/dashboard${path}`);
    return { page, complaints };
  }

  return {
    get service() {
      return running();
    },
    get browser() {
      if (!browser) throw new Error('there is no browser');
      return browser;
    },
    open: (path, options = {}) => opened(path, options),
    enter: (path, email = running().account.email, options = {}) => opened(path, options, email),
    async user(name, role) {
      const email = `${name}@example.com`;
      await running().ok('POST', '/account/users', { email, role, password });
      return email;
    },
  };
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
/** The rows of tables that have a text. */
export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
