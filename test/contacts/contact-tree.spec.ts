import { expect } from 'chai';
import {
  absorbLink,
  addLink,
  type ContactNode,
  changeOwn,
  descendantsOf,
  findNode,
  membersOf,
  replaceNode,
  unify,
  versionOf,
  withoutLink,
} from '../../domain/contacts/contact-tree.js';

const node = (id: string, ...links: ContactNode<string>['links']): ContactNode<string> => ({ id, own: id.toUpperCase(), links });
const link = (merge_id: string, at: string | null, contact: ContactNode<string>) => ({ merge_id, at, contact });
const ids = (nodes: readonly ContactNode<string>[]) => nodes.map(({ id }) => id);

describe('the tree of merged contacts', () => {
  const tree = node('a', link('m1', '10', node('b', link('m2', '11', node('c')))), link('m3', null, node('d')), link('m4', '12', node('e')));

  it('counts members by their effective links, depth first', () => expect(ids(membersOf(tree))).to.deep.equal(['a', 'b', 'c', 'e']));
  it('has descendants below pending links too', () => expect(ids(descendantsOf(tree))).to.deep.equal(['b', 'c', 'd', 'e']));
  it('finds a node anywhere', () => {
    expect(findNode(tree, 'd')?.own).to.equal('D');
    expect(findNode(tree, 'x')).to.equal(undefined);
  });
  it('unifies each part before the next one, at the time of its link', () => {
    const unified = unify(
      tree,
      ({ own }) => own,
      (left, right, at) => `(${left}+${right}@${at})`,
    );
    expect(unified).to.equal('((A+(B+C@11)@10)+E@12)');
  });
  it('sums the versions of members', () => expect(versionOf(tree, () => 2)).to.equal(8));
  it('changes one node and leaves the others', () => {
    const changed = replaceNode(
      tree,
      'c',
      changeOwn((own: string) => `${own}!`),
    );
    expect(membersOf(changed).map(({ own }) => own)).to.deep.equal(['A', 'B', 'C!', 'E']);
    expect(findNode(changed, 'e')).to.deep.equal(findNode(tree, 'e'));
  });
  it('makes a link effective after those that already are', () => {
    const absorbed = absorbLink<string>('m3', '13')(tree);
    expect(ids(membersOf(absorbed))).to.deep.equal(['a', 'b', 'c', 'e', 'd']);
    expect(absorbLink<string>('other', '13')(tree)).to.equal(tree);
  });
  it('is as before once an added link is removed', () => {
    const added = addLink(link('m5', '14', node('f')))(tree);
    expect(ids(membersOf(added))).to.deep.equal(['a', 'b', 'c', 'e', 'f']);
    expect(withoutLink<string>('m5')(added)).to.deep.equal(tree);
  });
});
