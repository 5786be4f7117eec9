import {
  allCarrierFields,
  type CarrierName,
  type CarrierSettings,
  carrierOf,
  isCarrierName,
  isConfigured,
  neededVariables,
} from '../../../carriers/registry.js';
import type { FieldTexts } from '../../../carriers/runtime/descriptor.js';
import { isRefusedMailbox, refusedMailbox } from '../../../carriers/runtime/senders.js';
import { emailFromField } from '../../../carriers/runtime/settings.js';
import { ownField } from '../../../domain/kernel/own-fields.js';
import { InvalidValue } from './config-parsers.js';
import type { Variable } from './variable.js';

/** The settings of carriers, as their own table has them. */
export const carrierVariables: readonly Variable<string>[] = allCarrierFields.map(({ env, description, allowed, pattern, secret }) => ({
  name: env,
  default: null,
  defaultText: 'none',
  description,
  allowed,
  ...(secret && { secret }),
  parse: (text) => {
    if (!pattern.test(text)) throw new InvalidValue();
    return text;
  },
}));

/** The variables of carriers whose texts are not allowed. */
export const invalidCarrierVariables = (
  env: Readonly<Record<string, string | undefined>>,
): { readonly definition: Variable<string>; readonly text: string }[] =>
  allCarrierFields.flatMap(({ env: name, pattern }, i) => {
    const text = ownField(env, name)?.trim();
    const definition = carrierVariables[i];
    return text && definition && !pattern.test(text) ? [{ definition, text }] : [];
  });

/** Problems of the sender of emails: a carrier in the routes refuses it. */
export function refusedSenders(routes: Readonly<Record<string, readonly string[]>> | null, carriers: CarrierSettings): string[] {
  const routed = [...new Set(Object.values(routes ?? {}).flat())].filter(isCarrierName);
  return routed.flatMap((name) => {
    const { from } = carrierTextsOf(carriers, name);
    return from !== undefined && isRefusedMailbox(carrierOf(name), from) ? [`${emailFromField.env}: ${refusedMailbox(name)}`] : [];
  });
}
const carrierTextsOf = (carriers: CarrierSettings, name: CarrierName): FieldTexts<string> => carriers[name] ?? {};

/** Problems of routes to carriers that do not deliver its channel, or are not configured. `setting`: the variable of the routes. */
export function missingCarriers(setting: string, routes: Readonly<Record<string, readonly string[]>> | null, carriers: CarrierSettings): string[] {
  const wrong = Object.entries(routes ?? {}).flatMap(([channel, names]) =>
    names
      .filter((name) => isCarrierName(name) && !(carrierOf(name).channels as readonly string[]).includes(channel))
      .map((name) => ({ channel, name })),
  );
  if (wrong.length > 0) return wrong.map(({ channel, name }) => `${setting} names '${name}' for ${channel}, which it does not deliver.`);
  const named = [...new Set(Object.values(routes ?? {}).flat())].filter(isCarrierName);
  const missing = named.filter((name) => !isConfigured(name, carriers));
  return missing.map((name) => `${setting} names '${name}', which needs ${neededVariables(name)}.`);
}
