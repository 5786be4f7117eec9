/**
 * What a keyword in an inbound text requests. `yes` opts in only a recipient who has opted out before; from anybody else it
 * may answer another question and has no effect.
 */
export const keywordKinds = ['stop', 'start', 'yes', 'help'] as const;
export type KeywordKind = (typeof keywordKinds)[number];
