import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type ServiceWithLinks, serviceWithLinks } from '../suppressions/links.js';
import { type Browser, startBrowser } from './browser.js';

/** Where pictures of the pages are put for a person to look at, if anywhere. */
const { SCREENSHOTS } = process.env;

interface Pages {
  readonly browser: Browser;
  readonly fixture: ServiceWithLinks;
}

/** A browser and a service whose links it opens, for the specs of a suite. They are skipped if there is no browser. */
export function pagesInBrowser(): Pages {
  let started: Partial<Pages> = {};
  before(async function () {
    const browser = await startBrowser();
    if (!browser) this.skip();
    started = { browser };
    started = { browser, fixture: await serviceWithLinks() };
  });
  after(async () => {
    await started.browser?.close();
    await started.fixture?.service.close();
  });
  const need = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('nothing is started before the specs run');
    return part;
  };
  return {
    get browser() {
      return need(started.browser);
    },
    get fixture() {
      return need(started.fixture);
    },
  };
}

/** Takes a picture of a page, if pictures are wanted. */
export async function picture(page: Page, name: string, options: { readonly fullPage?: boolean } = {}): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), ...options });
}
