/** Calls of the API as code that can be copied into a terminal or a program. */

export interface Call {
  /** `GET`, `POST`, … */
  readonly method: string;
  /** With its parameters filled in: `/v1/contacts/con_…`. */
  readonly path: string;
  /** What is undefined, null or empty is left out; a list is repeated. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

type QueryValue = string | number | boolean | null | undefined;

/** The environment variable that the code reads the key from: a key itself is never shown. */
const KEY = 'HELIOGRAPH_KEY';

export function addressOf({ path, query = {} }: Call, origin: string): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') parameters.append(name, String(one));
  const text = parameters.toString();
  return `${origin}${path}${text && `?${text}`}`;
}

/** In single quotes, where a shell of the POSIX family reads nothing but the quote itself. */
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function asCurl(call: Call, origin: string): string {
  const { method, body } = call;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shell(addressOf(call, origin))}`,
    `-H "X-API-Key: $${KEY}"`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${shell(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

/** As a literal of JavaScript. What JSON has is one, but a key `__proto__` would set the prototype instead. */
const javaScript = (value: unknown): string => JSON.stringify(value, null, 2).replace(/^(\s*)"__proto__":/gm, '$1["__proto__"]:');

export function asNode(call: Call, origin: string): string {
  const { method, body } = call;
  const lines = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    body === undefined
      ? `headers: { 'X-API-Key': process.env.${KEY} },`
      : `headers: { 'X-API-Key': process.env.${KEY}, 'Content-Type': 'application/json' },`,
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(javaScript(body), '  ')}),`]),
  ];
  return `const response = await fetch(${JSON.stringify(addressOf(call, origin))}, {\n${lines.map((line) => `  ${line}\n`).join('')}});
if (!response.ok) throw new Error(await response.text());
console.log(${method === 'DELETE' ? 'response.status' : 'await response.json()'});`;
}

/** As a literal of Python, which has other words for three values and reads strings of JSON as they are, save for half characters. */
function python(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => python(one, inner))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([name, one]) => `${JSON.stringify(name)}: ${python(one, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  return parts.length === 0 ? open + close : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

export function asPython(call: Call, origin: string): string {
  const { method, body } = call;
  const lines = [
    JSON.stringify(addressOf(call, origin)),
    `headers={"X-API-Key": os.environ["${KEY}"]}`,
    ...(body === undefined ? [] : [`json=${python(body, '    ')}`]),
    'timeout=30',
  ];
  return `import os

import requests

response = requests.${method.toLowerCase()}(\n${lines.map((line) => `    ${line},\n`).join('')})
response.raise_for_status()
print(${method === 'DELETE' ? 'response.status_code' : 'response.json()'})`;
}
