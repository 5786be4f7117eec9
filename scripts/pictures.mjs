/**
 * Takes the pictures of the README from the real thing: `npm run build && node scripts/pictures.mjs`. Starts a service on an empty folder, adds the
 * sample data through the dashboard, and shows its overview in both themes. Needs Chromium (CHROMIUM names another path).
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const FOLDER = 'docs/pictures';
const SIZE = { width: 1280, height: 800 };

const dataFolder = mkdtempSync(join(tmpdir(), 'pictures-'));
const service = spawn(process.execPath, ['dist/bin/cli.js', 'serve'], { env: { ...process.env, PORT: '0', HELIOGRAPH_DATA_DIR: dataFolder } });
/** What the first start prints. */
const { url, email, password } = await new Promise((resolve, reject) => {
  let printed = '';
  service.once('exit', () => reject(new Error(`The service did not start:\n${printed}`)));
  service.stderr.on('data', (data) => {
    printed += data;
    const [, address] = /Dashboard {2,}(\S+)\/dashboard/.exec(printed) ?? [];
    const [, name, secret] = /Dashboard login {2,}(\S+) \/ (\S+)/.exec(printed) ?? [];
    if (address && secret) resolve({ url: address, email: name, password: secret });
  });
});

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light', deviceScaleFactor: 1.5 });
  await page.goto(`${url}/dashboard`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Add sample data' }).click();
  await page.getByText('The sample is added.').waitFor({ timeout: 120_000 });
  // The campaign and its receipts.
  await page
    .getByText(/^2[0-9]{2}$/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  mkdirSync(FOLDER, { recursive: true });
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${FOLDER}/overview-${colorScheme}.png` });
  }
} finally {
  await browser.close();
  service.removeAllListeners('exit');
  service.kill('SIGTERM');
  await new Promise((resolve) => service.once('exit', resolve));
  rmSync(dataFolder, { recursive: true, force: true });
}
