import { expect } from 'chai';
import { type BatchCommand, type BatchEvent, type BatchItem, batch } from '../../domain/messages/batch.js';
import { specification } from '../given.js';
import { accepted, now } from './message-examples.js';

const { given } = specification(batch);
const items: BatchItem[] = [{ ...accepted, id: 'msg_1', batch_index: 0 }];

const acceptChunk = (chunk: number): BatchCommand => ({ type: 'AcceptChunk', batch_id: 'bat_1', chunk, items });
const accept = (): BatchCommand => ({ type: 'Accept', batch_id: 'bat_1', received: 3, accepted: 2, rejected: 1, now });
const chunkAccepted = (chunk: number): BatchEvent => ({ type: 'BulkChunkAccepted', data: { batch_id: 'bat_1', chunk, alone: [], items } });
const bulkAccepted = (chunks: number): BatchEvent => ({
  type: 'BulkAccepted',
  data: { batch_id: 'bat_1', chunks, received: 3, accepted: 2, rejected: 1, at: now },
});

describe('Batch', () => {
  it('is incomplete without its last event', () => {
    expect(given().state()).to.deep.equal({ status: 'incomplete', chunks: 0 });
    expect(given(chunkAccepted(0), chunkAccepted(1)).state()).to.deep.equal({ status: 'incomplete', chunks: 2 });
  });
  it('is accepted with its last event', () =>
    expect(given(chunkAccepted(0), bulkAccepted(1)).state()).to.deep.equal({ status: 'accepted', chunks: 1 }));

  it('accepts the first chunk', () => given().when(acceptChunk(0)).then(chunkAccepted(0)));
  it('accepts the next chunk', () => given(chunkAccepted(0)).when(acceptChunk(1)).then(chunkAccepted(1)));
  it('changes nothing when a chunk is repeated', () => given(chunkAccepted(0), chunkAccepted(1)).when(acceptChunk(0)).thenNothing());
  it('changes nothing when a chunk comes after the acceptance', () => given(chunkAccepted(0), bulkAccepted(1)).when(acceptChunk(1)).thenNothing());

  it('is accepted with the number of its chunks', () => given(chunkAccepted(0), chunkAccepted(1)).when(accept()).then(bulkAccepted(2)));
  it('changes nothing when the acceptance is repeated', () => given(chunkAccepted(0), bulkAccepted(1)).when(accept()).thenNothing());
});
