/** The names under which every plain object has something that nobody has put there: `constructor`, `__proto__`, `toString`, … */
export const inheritedNames: readonly string[] = Object.getOwnPropertyNames(Object.prototype);
