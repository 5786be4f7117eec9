const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** Whether a text shows nothing: it is empty, or has only white space and characters without a shape, such as U+200B. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);
