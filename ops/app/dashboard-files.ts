import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { DashboardAsset, DashboardFiles } from '../../api/pages/dashboard.js';

/** `dist/dashboard`; `scripts/dashboard.mjs` has written it. */
const FOLDER = new URL('./', import.meta.resolve('#dist/dashboard/index.html'));
const TYPES = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
]);

/** The built web application. It is part of the program: without it the start stops. */
export function loadDashboardFiles(): DashboardFiles {
  const assets = new Map<string, DashboardAsset>();
  for (const name of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.gz')) continue;
    const path = name.slice(0, -'.gz'.length).replaceAll('\\', '/');
    const type = TYPES.get(extname(path));
    if (type) assets.set(path, { type, read: (encoding) => readFile(new URL(encoding === 'br' ? `${path}.br` : `${path}.gz`, FOLDER)) });
  }
  return { index: readFileSync(new URL('index.html', FOLDER), 'utf8'), assets };
}
