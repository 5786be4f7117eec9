export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of all routes; a test asserts on them
  readonly body: any;
}

/** Sends a request. A Buffer or a text is sent unchanged, anything else as JSON. Redirects are not followed. */
export async function request(method: string, url: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<Reply> {
  const raw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    body: raw ? (body as string | undefined) : JSON.stringify(body),
  });
  const text = await answer.text();
  const json = answer.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { status: answer.status, headers: answer.headers, text, body: json ? JSON.parse(text) : null };
}
