/**
 * What a page takes from its address, as texts; all else is left out. The router reads `tag=7` as a number, so that numbers are texts again here.
 */
export const texts =
  <K extends string>(...names: readonly K[]) =>
  (search: Record<string, unknown>): { [P in K]?: string } => {
    const found = names.flatMap((name) => {
      const value = search[name];
      const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
      return typeof text === 'string' && text !== '' ? [[name, text]] : [];
    });
    return Object.fromEntries(found) as { [P in K]?: string };
  };

/** The same for one parameter that holds texts by names, such as the values of custom fields. */
export const textsByName =
  <K extends string>(name: K) =>
  (search: Record<string, unknown>): { [P in K]?: Record<string, string> } => {
    const value = search[name];
    const found = typeof value === 'object' && value !== null ? texts(...Object.keys(value))(value as Record<string, unknown>) : {};
    return (Object.keys(found).length > 0 ? { [name]: found } : {}) as { [P in K]?: Record<string, string> };
  };
