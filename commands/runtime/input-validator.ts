import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { AnyCommand } from './command.js';

/** Throws where the input of a command does not match its schema. */
export type InputValidator = (command: AnyCommand, input: unknown) => void;

/**
 * For tests: callers of commands validate what they pass on, so a mismatch is a defect in the caller. Internal commands have
 * a TypeScript type alone and are not validated.
 */
export function createInputValidator(): InputValidator {
  const ajv = new Ajv2020({ allErrors: true, strict: false, code: { optimize: false } });
  addFormats.default(ajv);
  const compiled = new WeakMap<AnyCommand, ValidateFunction>();
  return (command, input) => {
    if (command.internal) return;
    const validate = compiled.get(command) ?? ajv.compile(command.input);
    compiled.set(command, validate);
    if (!validate(input)) throw new TypeError(`the input of ${command.name} does not match its schema: ${ajv.errorsText(validate.errors)}`);
  };
}
