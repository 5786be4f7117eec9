/** What is wrong with texts and addresses of a message, whatever made them: a request, a template, a campaign or a journey. */

import { isBlank } from '../kernel/blank.js';
import type { FieldProblem } from '../kernel/errors.js';
import { isLink, isWebAddress } from '../kernel/urls.js';
import { whatsappTemplateProblems } from './whatsapp-template.js';

/** Any may be missing or, where other parts of the request are malformed, incomplete. */
export interface MessageContent {
  readonly channel?: string;
  readonly subject?: string;
  readonly message?: string;
  readonly html?: string;
  readonly title?: string;
  readonly action_url?: string;
  readonly media_urls?: readonly (string | undefined)[];
  readonly whatsapp_template?: Parameters<typeof whatsappTemplateProblems>[0];
  readonly push?: { readonly image?: string; readonly actions?: readonly ({ readonly url?: string } | undefined)[] };
}

export const contentProblems = (content: MessageContent): FieldProblem[] => [
  ...blankProblems(content),
  ...fetchedProblems(content),
  ...addressProblems(content),
  ...whatsappTemplateProblems(content.whatsapp_template, content),
];

const TEXTS = ['subject', 'message', 'html', 'title'] as const;

/** Texts that show nothing. An email may have an empty text beside its HTML: pictures have none. */
export const blankProblems = (content: MessageContent): FieldProblem[] =>
  TEXTS.filter((field) => isBlankText(content, field)).map((field) => ({
    field,
    code: 'blank',
    message: 'This text is only white space. Give one that can be seen.',
  }));

/** HTML that is nothing but the URL of a page. A text may be just a link. */
const fetchedProblems = ({ html }: MessageContent): FieldProblem[] =>
  html !== undefined && /^\s*https?:\/\/[^\s<>]+\s*$/i.test(html)
    ? [{ field: 'html', code: 'not_html', message: 'This is a URL, and pages are not fetched from one. Give the HTML itself.' }]
    : [];

function isBlankText({ channel, html, ...content }: MessageContent, field: (typeof TEXTS)[number]): boolean {
  const text = field === 'html' ? html : content[field];
  return text !== undefined && isBlank(text) && !(field === 'message' && channel === 'email' && html !== undefined);
}

export const linkProblem = (field: string): FieldProblem => ({
  field,
  code: 'invalid_url',
  message: 'Use an http or https URL, a path such as /orders/1, or a link that opens your app, but no script, data or file.',
});

const addressProblem = (field: string): FieldProblem => ({
  field,
  code: 'invalid_url',
  message: 'Use an absolute URL that begins with https:// or http://.',
});

function addressProblems({ action_url, media_urls = [], push: { image, actions = [] } = {} }: MessageContent): FieldProblem[] {
  return [
    ...(action_url === undefined || isLink(action_url) ? [] : [linkProblem('action_url')]),
    ...media_urls.flatMap((url, i) => (url === undefined || isWebAddress(url) ? [] : [addressProblem(`media_urls[${i}]`)])),
    ...(image === undefined || isWebAddress(image) ? [] : [addressProblem('push.image')]),
    ...actions.flatMap((action, i) => (action?.url === undefined || isLink(action.url) ? [] : [linkProblem(`push.actions[${i}].url`)])),
  ];
}
