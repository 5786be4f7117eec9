/**
 * Writes `src/api.ts` from the OpenAPI document of a running service: `HELIOGRAPH_URL=… npm run generate`.
 *
 * Examples, header fields and errors are left out: the file has a third of the size without them, and errors have a type of their own.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import openapiTypes, { astToString } from 'openapi-typescript';

const url = `${process.env.HELIOGRAPH_URL ?? 'http://127.0.0.1:3000'}/v1/openapi.json`;
const { schemasOf } = await import('./reduce.mjs');
const document = schemasOf(await (await fetch(url)).json());
const hash = createHash('sha256').update(JSON.stringify(document)).digest('hex').slice(0, 16);
const text = astToString(await openapiTypes(document, { alphabetize: true, defaultNonNullable: false }));
writeFileSync('src/api.ts', `// Made by \`npm run generate\`. Of the OpenAPI document ${hash}.\n${text}`);
