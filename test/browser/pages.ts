import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type ServiceWithLinks, serviceWithLinks } from '../suppressions/links.js';
import { type Browser, startBrowser } from './browser.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
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

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** All accessibility problems that axe-core finds, with the elements that have them. */
export const violations = (page: Page): Promise<string[]> => foundBy(page, () => true);
/** The same without those that are minor or moderate. */
export const seriousViolations = (page: Page): Promise<string[]> => foundBy(page, (impact) => ['serious', 'critical'].includes(impact));

async function foundBy(page: Page, counts: (impact: string) => boolean): Promise<string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Violation[];
  return found.filter(({ impact }) => counts(impact)).map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
