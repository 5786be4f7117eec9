/** One setting. The configuration, the table in docs/configuration.md and `--help` are generated from these. */
export interface Variable<T> {
  readonly name: string;
  /** The default as a text; null if there is none. */
  readonly default: string | null;
  /** Shown if there is no default value. */
  readonly defaultText?: string;
  readonly description: string;
  /** Completes the sentence "… is not allowed; it is …". */
  readonly allowed: string;
  /** Its value is never printed. */
  readonly secret?: true;
  readonly parse: (text: string) => T;
}

export const variable = <T>(definition: Variable<T>): Variable<T> => definition;
export const optionalVariable = <T>(definition: Variable<T> & { default: null }): Variable<T | null> => definition;
