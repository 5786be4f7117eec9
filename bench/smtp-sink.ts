import { createServer, type Socket } from 'node:net';

/**
 * A mail server that takes everything and keeps nothing, in its own process, so that its CPU is not counted. It knows as much of RFC
 * 5321 as a client needs, with PIPELINING (RFC 2920).
 */
const END_OF_DATA = '\r\n.\r\n';
const EXTENSIONS = '250-sink.example\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n';
const REPLIES: ReadonlyMap<string, string> = new Map([
  ['EHLO', EXTENSIONS],
  ['HELO', '250 sink.example\r\n'],
  ['MAIL', '250 2.1.0 Ok\r\n'],
  ['RCPT', '250 2.1.5 Ok\r\n'],
  ['DATA', '354 Go on\r\n'],
  ['RSET', '250 2.0.0 Ok\r\n'],
  ['NOOP', '250 2.0.0 Ok\r\n'],
  ['QUIT', '221 2.0.0 Bye\r\n'],
]);

function serve(socket: Socket): void {
  let unread = '';
  let inData = false;
  const answer = (): string => {
    let replies = '';
    for (;;) {
      const mark = inData ? END_OF_DATA : '\r\n';
      const end = unread.indexOf(mark);
      if (end < 0) return replies;
      const verb = unread.slice(0, 4).toUpperCase();
      unread = unread.slice(end + mark.length);
      replies += inData ? '250 2.0.0 Ok\r\n' : (REPLIES.get(verb) ?? '502 5.5.1 Unknown\r\n');
      inData = !inData && verb === 'DATA';
    }
  };
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    unread += chunk;
    const replies = answer();
    if (replies !== '') socket.write(replies);
  });
  socket.write('220 sink.example ESMTP\r\n');
}

const server = createServer(serve);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : null;
  process.stdout.write(`${JSON.stringify({ listening: `smtp://127.0.0.1:${port}` })}\n`);
});
