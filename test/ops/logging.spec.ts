import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { createLogger, createRequestLogger, type LoggerOptions } from '../../ops/monitoring/logging.js';

function logged(options: Omit<LoggerOptions, 'stream'>) {
  const stream = new PassThrough();
  return { logger: createLogger({ ...options, stream }), text: () => String(stream.read() ?? '') };
}

describe('log lines', () => {
  it('are JSON with time, level, message and fields', () => {
    const { logger, text } = logged({ level: 'info' });
    logger.warn('projection halted', { projection: 'messages', position: '00000000000000000042' });
    const line = JSON.parse(text());
    expect(line).to.deep.include({ level: 'warn', message: 'projection halted', projection: 'messages', position: '00000000000000000042' });
    expect(line.time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('contain no line breaks', () => {
    const { logger, text } = logged({ level: 'info' });
    logger.info('two\nlines', { error: new Error('a\nb') });
    expect(text().split('\n')).to.have.length(2);
  });

  it('are omitted below the level', () => {
    const { logger, text } = logged({ level: 'warn' });
    logger.info('not this');
    logger.error('but this');
    expect(text()).to.include('but this').and.not.include('not this');
  });

  it('carry no personal data and no secrets', () => {
    const { logger, text } = logged({ level: 'debug' });
    logger.error('sending to ada@example.com failed', {
      to: '+14155550100',
      error: new Error('whsec_c2VjcmV0 is wrong'),
      reply: 'call +14155550100',
    });
    expect(text()).not.to.match(/ada@|4155550100|whsec_/);
  });

  it('keep time, level and message when fields have the same names', () => {
    const { logger, text } = logged({ level: 'info' });
    logger.info('the message', { level: 'none', message: 'a field', time: 0 });
    expect(JSON.parse(text())).to.include({ level: 'info', message: 'the message' });
  });

  it('are plain text on a terminal', () => {
    const { logger, text } = logged({ level: 'info', pretty: true });
    logger.info('listening', { port: 3000 });
    expect(text()).to.match(/^\d\d:\d\d:\d\d\.\d{3} .*info.* listening port=3000\n$/);
  });
});

describe('the request log', () => {
  const answered = { requestId: 'req_1', method: 'GET', route: '/v1/messages/:id', durationMs: 1.23456 };

  it('contains the pattern of the route, the status and the duration', () => {
    const { logger, text } = logged({ level: 'debug' });
    createRequestLogger(logger)({ ...answered, status: 200, account: 'acc_1' });
    expect(JSON.parse(text())).to.deep.include({
      level: 'debug',
      method: 'GET',
      route: '/v1/messages/:id',
      status: 200,
      duration_ms: 1.23,
      account: 'acc_1',
    });
  });

  it('logs 4xx at info and 5xx at error', () => {
    const { logger, text } = logged({ level: 'info' });
    const log = createRequestLogger(logger);
    log({ ...answered, status: 200 });
    log({ ...answered, status: 422, code: 'validation_error' });
    log({ ...answered, route: null, status: 500, code: 'internal_error' });
    const lines = text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ level, status, route }) => [level, status, route])).to.deep.equal([
      ['info', 422, '/v1/messages/:id'],
      ['error', 500, '(none)'],
    ]);
  });
});
