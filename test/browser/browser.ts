import { existsSync } from 'node:fs';
import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';

/** The one of the system; a test's own download is never tried. */
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Browser {
  /** A phone of 320 points, as small as they come. */
  readonly phone: BrowserContext;
  /** A screen, with scripts turned off. */
  readonly screen: BrowserContext;
  newContext(options: BrowserContextOptions): Promise<BrowserContext>;
  close(): Promise<void>;
}

/** Null if there is no browser; prints a line about it. */
export async function startBrowser(): Promise<Browser | null> {
  if (!existsSync(EXECUTABLE)) {
    console.log(`      skipped: there is no browser at ${EXECUTABLE}; set CHROMIUM`);
    return null;
  }
  const browser = await chromium.launch({ executablePath: EXECUTABLE, headless: true, args: ARGUMENTS });
  const phone = await browser.newContext({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true, colorScheme: 'dark' });
  const screen = await browser.newContext({ viewport: { width: 1_024, height: 768 }, javaScriptEnabled: false, colorScheme: 'light' });
  return {
    phone,
    screen,
    newContext: (options) => browser.newContext(options),
    async close() {
      await browser.close();
    },
  };
}
