/** Validates the carriers and routes in the settings of an account, by the table that the environment uses. */

import { INBOX } from '../../carriers/inbox/inbox.js';
import { type CarrierName, type CarrierSettings, carrierNames, carrierOf, isCarrierName } from '../../carriers/registry.js';
import { carrierSenderProblems } from '../../carriers/runtime/senders.js';
import type { OwnFieldRules } from '../../carriers/runtime/settings.js';
import { SANDBOX } from '../../carriers/sandbox/sandbox.js';
import type { CarriersPatch, CarrierTexts } from '../../domain/accounts/own-carriers.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { ownField } from '../../domain/kernel/own-fields.js';

const isOperators = (name: CarrierName, field: string): boolean => ownField(carrierOf(name).fields, field)?.operatorsOnly === true;
/** Line breaks are in keys. */
const CONTROL_CHARACTER = /[^\P{Cc}\r\n]/u;
export interface OwnSettingsRules extends OwnFieldRules {
  /** The routes of the service: an account's routes may name their carriers, too. */
  readonly routes: Readonly<Record<string, readonly string[]>>;
}

type Routes = Readonly<Record<string, readonly string[] | null>>;
interface SettingsAfter {
  readonly carriers: ReadonlyMap<string, CarrierTexts>;
  readonly routes: Routes;
}

/** The names of the fields that an account can set. */
export const ownFieldsOf = (name: CarrierName): string[] => Object.keys(carrierOf(name).fields).filter((field) => !isOperators(name, field));

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

function fieldProblem(name: CarrierName, field: string, value: string | null, rules: OwnSettingsRules): FieldProblem[] {
  const path = `carriers.${name}.${field.slice(0, 100)}`;
  const found = isOperators(name, field) ? undefined : ownField(carrierOf(name).fields, field);
  if (!found) return [problem(path, 'unknown_field', `Use one of ${ownFieldsOf(name).join(', ')}.`)];
  if (value === null) return [];
  if (!found.pattern.test(value) || CONTROL_CHARACTER.test(value)) return [problem(path, 'invalid_format', `Use ${found.allowed}.`)];
  const wrong = found.problemOfOwn?.(value, rules);
  if (wrong) return [problem(path, wrong.code, wrong.message)];
  return field === 'from' ? [...carrierSenderProblems(carrierOf(name), value, path)] : [];
}

/** Of the lists of fields of which one is needed, the one that lacks least. */
function missingFields(name: CarrierName, texts: CarrierTexts): FieldProblem[] {
  const lacks = carrierOf(name).needs.map((fields) => fields.filter((field) => !Object.hasOwn(texts, field)));
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
      if (!(carrierOf(name).channels as readonly string[]).includes(channel))
        return [problem(path, 'unsupported_channel', `${name} does not deliver ${channel}.`)];
      if (carriers.has(name) || (ownField(shared.routes, channel) ?? []).includes(name)) return [];
      return [problem(path, 'not_configured', `Configure ${name} in carriers first.`)];
    }),
  );
}

/** The settings with which an account's own carrier is made: its fields, and those that only the operator sets. */
export function ownSettings(name: CarrierName, texts: CarrierTexts, shared: CarrierSettings): CarrierSettings {
  const operators = Object.entries(shared[name] ?? {}).filter(([field]) => isOperators(name, field));
  return { [name]: { ...texts, ...Object.fromEntries(operators) } };
}
