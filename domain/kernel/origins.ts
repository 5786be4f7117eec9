const ORIGIN = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/;

/** Whether a text is the origin of a web page as browsers send it: `https://shop.example`, without a path. */
export const isOrigin = (text: string): boolean => ORIGIN.test(text);
