import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import type { AppendReq, BatchAppendReq, DeleteReq, ReadReq, TombstoneReq } from '@eventstore/db-client/generated/streams_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import anyPb from 'google-protobuf/google/protobuf/any_pb.js';
import type { AppendAnswer, StoredEvent, WireEvent, WireExpected } from './database.js';

const TICKS_PER_MS = 10_000;

export const nameOf = (identifier: { getStreamName_asU8(): Uint8Array } | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');

function identifier(stream: string): InstanceType<typeof sharedPb.StreamIdentifier> {
  const message = new sharedPb.StreamIdentifier();
  message.setStreamName(new Uint8Array(Buffer.from(stream, 'utf8')));
  return message;
}

type Proposed = AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage;
export function eventOf(message: Proposed): WireEvent {
  const map = message.getMetadataMap();
  return {
    id: message.getId()?.getString() ?? '',
    type: map.get('type') ?? '',
    contentType: map.get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

type RevisionOptions = AppendReq.Options | DeleteReq.Options | TombstoneReq.Options;
export const expectedOf = (options: RevisionOptions): WireExpected =>
  options.hasNoStream() ? 'no-stream' : options.hasAny() ? 'any' : options.hasStreamExists() ? 'stream-exists' : Number(options.getRevision());
export const expectedOfBatch = (options: BatchAppendReq.Options): WireExpected =>
  options.hasNoStream() ? 'no-stream' : options.hasAny() ? 'any' : options.hasStreamExists() ? 'stream-exists' : Number(options.getStreamPosition());

export function readEvent(event: StoredEvent): InstanceType<typeof streamsPb.ReadResp> {
  const id = new sharedPb.UUID();
  id.setString(event.id);
  const recorded = new streamsPb.ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(id);
  recorded.setStreamIdentifier(identifier(event.stream));
  recorded.setStreamRevision(String(event.revision));
  recorded.setCommitPosition(String(event.position));
  recorded.setPreparePosition(String(event.position));
  recorded.getMetadataMap().set('type', event.type);
  recorded.getMetadataMap().set('content-type', event.contentType);
  recorded.getMetadataMap().set('created', String(BigInt(event.created) * BigInt(TICKS_PER_MS)));
  recorded.setCustomMetadata(event.metadata);
  recorded.setData(event.data);
  const read = new streamsPb.ReadResp.ReadEvent();
  read.setEvent(recorded);
  read.setCommitPosition(String(event.position));
  const answer = new streamsPb.ReadResp();
  answer.setEvent(read);
  return answer;
}

export function confirmation(): InstanceType<typeof streamsPb.ReadResp> {
  const confirmed = new streamsPb.ReadResp.SubscriptionConfirmation();
  confirmed.setSubscriptionId(crypto.randomUUID());
  const answer = new streamsPb.ReadResp();
  answer.setConfirmation(confirmed);
  return answer;
}

export function checkpoint(position: bigint): InstanceType<typeof streamsPb.ReadResp> {
  const message = new streamsPb.ReadResp.Checkpoint();
  message.setCommitPosition(String(position));
  message.setPreparePosition(String(position));
  const answer = new streamsPb.ReadResp();
  answer.setCheckpoint(message);
  return answer;
}

export function caughtUp(): InstanceType<typeof streamsPb.ReadResp> {
  const answer = new streamsPb.ReadResp();
  answer.setCaughtUp(new streamsPb.ReadResp.CaughtUp());
  return answer;
}

export function streamNotFound(stream: string): InstanceType<typeof streamsPb.ReadResp> {
  const missing = new streamsPb.ReadResp.StreamNotFound();
  missing.setStreamIdentifier(identifier(stream));
  const answer = new streamsPb.ReadResp();
  answer.setStreamNotFound(missing);
  return answer;
}

/** The answer to a single append. Other results are named exceptions. */
export function appendAnswer(answer: AppendAnswer, expected: WireExpected, stream: string): InstanceType<typeof streamsPb.AppendResp> | NamedError {
  if (answer === 'stream-deleted') return { exception: 'stream-deleted', 'stream-name': stream };
  if ('tooLarge' in answer) return { exception: 'maximum-append-size-exceeded', 'maximum-append-size': String(answer.tooLarge) };
  const response = new streamsPb.AppendResp();
  if ('conflict' in answer) {
    const wrong = new streamsPb.AppendResp.WrongExpectedVersion();
    if (answer.conflict === 'no-stream') wrong.setCurrentNoStream(new sharedPb.Empty());
    else wrong.setCurrentRevision(String(answer.conflict));
    if (expected === 'no-stream') wrong.setExpectedNoStream(new sharedPb.Empty());
    else if (expected === 'any') wrong.setExpectedAny(new sharedPb.Empty());
    else if (expected === 'stream-exists') wrong.setExpectedStreamExists(new sharedPb.Empty());
    else wrong.setExpectedRevision(String(expected));
    response.setWrongExpectedVersion(wrong);
    return response;
  }
  const success = new streamsPb.AppendResp.Success();
  if (answer.revision < 0) success.setNoStream(new sharedPb.Empty());
  else success.setCurrentRevision(String(answer.revision));
  if (answer.position === null) success.setNoPosition(new sharedPb.Empty());
  else {
    const position = new streamsPb.AppendResp.Position();
    position.setCommitPosition(String(answer.position));
    position.setPreparePosition(String(answer.position));
    success.setPosition(position);
  }
  response.setSuccess(success);
  return response;
}

/** Sent as metadata with the status of a call. */
export type NamedError = { readonly exception: string } & { readonly [field: string]: string };

export type BatchFailure = 'timeout' | 'busy';
type BatchResponse = InstanceType<typeof streamsPb.BatchAppendResp>;

export function batchAnswer(answer: AppendAnswer | BatchFailure, correlation: InstanceType<typeof sharedPb.UUID>, stream: string): BatchResponse {
  const response = new streamsPb.BatchAppendResp();
  response.setCorrelationId(correlation);
  response.setStreamIdentifier(identifier(stream));
  if (typeof answer === 'string' || 'conflict' in answer || 'tooLarge' in answer) {
    const [name, detail] = detailOf(answer);
    const packed = new anyPb.Any();
    packed.pack(detail, name);
    const status = new statusPb.Status();
    status.setMessage(name);
    status.setDetails(packed);
    response.setError(status);
    return response;
  }
  const success = new streamsPb.BatchAppendResp.Success();
  success.setCurrentRevision(String(Math.max(0, answer.revision)));
  if (answer.position !== null) {
    const position = new sharedPb.AllStreamPosition();
    position.setCommitPosition(String(answer.position));
    position.setPreparePosition(String(answer.position));
    success.setPosition(position);
  }
  response.setSuccess(success);
  return response;
}

function detailOf(answer: Exclude<AppendAnswer, { readonly revision: number }> | BatchFailure): [string, Uint8Array] {
  const named = (name: string, bytes: Uint8Array): [string, Uint8Array] => [`event_store.client.${name}`, bytes];
  if (answer === 'busy') return ['kurrentdb.errors.ServerBusy', new Uint8Array()];
  if (answer === 'timeout') return named('Timeout', new sharedPb.Timeout().serializeBinary());
  if (answer === 'stream-deleted') return named('StreamDeleted', new sharedPb.StreamDeleted().serializeBinary());
  if ('tooLarge' in answer) {
    const exceeded = new sharedPb.MaximumAppendSizeExceeded();
    exceeded.setMaxappendsize(answer.tooLarge);
    return named('MaximumAppendSizeExceeded', exceeded.serializeBinary());
  }
  const wrong = new sharedPb.WrongExpectedVersion();
  if (answer.conflict !== 'no-stream') wrong.setCurrentStreamRevision(String(answer.conflict));
  return named('WrongExpectedVersion', wrong.serializeBinary());
}

/** The predicate of a filter. */
export function filterOf(options: ReadReq.Options): ((event: StoredEvent) => boolean) | null {
  const filter = options.getFilter();
  if (!filter) return null;
  const byType = filter.getEventType();
  const expression = byType ?? filter.getStreamIdentifier();
  if (!expression) return null;
  const regex = expression.getRegex() === '' ? null : new RegExp(expression.getRegex());
  const prefixes = expression.getPrefixList();
  return (event) => {
    const text = byType ? event.type : event.stream;
    return regex ? regex.test(text) : prefixes.some((prefix) => text.startsWith(prefix));
  };
}
