/** Validates the carriers and routes in the settings of an account, by the table that the environment uses. */

import { INBOX } from '../../carriers/inbox/inbox.js';
import {
  type CarrierName,
  type CarrierSettings,
  carrierChannels,
  carrierFieldsOf,
  carrierNames,
  isCarrierName,
  neededFields,
} from '../../carriers/runtime/settings.js';
import { SANDBOX } from '../../carriers/sandbox/sandbox.js';
import type { CarriersPatch, CarrierTexts } from '../../domain/accounts/own-carriers.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { parseUrl } from '../../domain/kernel/parse-url.js';
import { isAllowedHost } from '../../net/guard.js';

/** The field that only the operator sets: it decides which hosts this service calls. */
const isOperators = (field: string): boolean => field === 'base_url';
/** Line breaks are in keys. */
const CONTROL_CHARACTER = /[^\P{Cc}\r\n]/u;
/** Of an account: no query, because it holds settings of the client, such as a proxy. */
const SMTP_URL = /^smtps?:\/\/([^\s:@/?#]+(:[^\s:@/?#]*)?@)?[^\s:@/?#[\]]+(:[0-9]{1,5})?\/?$/;

export interface OwnSettingsRules {
  /** The routes of the service: an account's routes may name their carriers, too. */
  readonly routes: Readonly<Record<string, readonly string[]>>;
  /** Networks that are open although they are private. */
  readonly allowedCidrs: readonly string[];
}

type Routes = Readonly<Record<string, readonly string[] | null>>;
interface SettingsAfter {
  readonly carriers: ReadonlyMap<string, CarrierTexts>;
  readonly routes: Routes;
}

/** The names of the fields that an account can set. */
export const ownFieldsOf = (name: CarrierName): string[] => Object.keys(carrierFieldsOf(name)).filter((field) => !isOperators(field));

/** The problems of a patch and of what is configured after it; each names its field. */
export function ownSettingsProblems(patch: CarriersPatch, { carriers, routes }: SettingsAfter, rules: OwnSettingsRules): FieldProblem[] {
  const problems = Object.entries(patch).flatMap(([name, change]) => {
    if (!isCarrierName(name)) return [problem(`carriers.${name.slice(0, 100)}`, 'unknown_carrier', `Use one of ${carrierNames.join(', ')}.`)];
    if (change === null) return [];
    const wrong = Object.entries(change).flatMap(([field, value]) => fieldProblem(name, field, value, rules));
    return wrong.length > 0 ? wrong : missingFields(name, carriers.get(name) ?? {});
  });
  return problems.length > 0 ? problems : routeProblems(carriers, routes, rules);
}

const problem = (field: string, code: string, message: string): FieldProblem => ({ field, code, message });

function fieldProblem(name: CarrierName, field: string, value: string | null, { allowedCidrs }: OwnSettingsRules): FieldProblem[] {
  const path = `carriers.${name}.${field.slice(0, 100)}`;
  const known = ownFieldsOf(name);
  if (!known.includes(field)) return [problem(path, 'unknown_field', `Use one of ${known.join(', ')}.`)];
  const { pattern, allowed } = ownField(carrierFieldsOf(name), field) as { pattern: RegExp; allowed: string };
  if (value === null) return [];
  if (!pattern.test(value) || CONTROL_CHARACTER.test(value)) return [problem(path, 'invalid_format', `Use ${allowed}.`)];
  return name === 'smtp' && field === 'url' ? smtpProblem(path, value, allowedCidrs) : [];
}

function smtpProblem(path: string, url: string, allowedCidrs: readonly string[]): FieldProblem[] {
  const host = SMTP_URL.test(url) ? smtpHost(url) : null;
  if (host === null) return [problem(path, 'invalid_format', 'Use `smtp://user:password@host:port` or `smtps://…`, without a path or a query.')];
  return isAllowedHost(host, allowedCidrs) ? [] : [problem(path, 'invalid_url', 'Use a mail server that is not in a private or reserved network.')];
}

/** The host of an address of an SMTP server, as WHATWG writes it; null where there is none. */
export function smtpHost(url: string): string | null {
  const asHttp = url.replace(/^smtps?:/, 'http:');
  return parseUrl(asHttp)?.hostname ?? null;
}

/** Of the lists of fields of which one is needed, the one that lacks least. */
function missingFields(name: CarrierName, texts: CarrierTexts): FieldProblem[] {
  const lacks = (neededFields[name] as readonly (readonly string[])[]).map((fields) => fields.filter((field) => !Object.hasOwn(texts, field)));
  const [least = []] = lacks.sort((a, b) => a.length - b.length);
  return least.map((field) => problem(`carriers.${name}.${field}`, 'required', `${name} cannot send without it.`));
}

function routeProblems(carriers: SettingsAfter['carriers'], routes: Routes, shared: OwnSettingsRules): FieldProblem[] {
  return Object.entries(routes).flatMap(([channel, names]) =>
    (names ?? []).flatMap((name, i) => {
      const path = `routes.${channel}[${i}]`;
      if (names?.indexOf(name) !== i) return [problem(path, 'duplicate', 'Name each carrier once.')];
      if (name === SANDBOX || (name === INBOX && channel === 'in_app')) return [];
      if (!isCarrierName(name)) return [problem(path, 'unknown_carrier', `Use one of ${[SANDBOX, INBOX, ...carrierNames].join(', ')}.`)];
      if (!(carrierChannels[name] as readonly string[]).includes(channel))
        return [problem(path, 'unsupported_channel', `${name} does not deliver ${channel}.`)];
      if (carriers.has(name) || (ownField(shared.routes, channel) ?? []).includes(name)) return [];
      return [problem(path, 'not_configured', `Configure ${name} in carriers first.`)];
    }),
  );
}

/** The settings with which an account's own carrier is made: its fields, and those that only the operator sets. */
export function ownSettings(name: CarrierName, texts: CarrierTexts, shared: CarrierSettings): CarrierSettings {
  const operators = Object.entries(shared[name] ?? {}).filter(([field]) => isOperators(field));
  return { [name]: { ...texts, ...Object.fromEntries(operators) } };
}
