import { expect } from 'chai';
import { textOfHtml } from '../../formats/messages/html-text.js';

describe('the text of an HTML', () => {
  const cases: [what: string, html: string, text: string][] = [
    ['a linked picture: its text and address', '<a href="https://e.example/"><img alt="Logo" src="y"></a>', 'Logo [https://e.example/]'],
    ['a linked picture without a text: its address', '<a href="https://e.example/"><img src="y"></a>', 'https://e.example/'],
    ['a linked picture beside a text', '<a href="https://e.example/"><img alt="Logo" src="y">Shop</a>', 'Logo Shop [https://e.example/]'],
    ['a picture before a text', '<img alt="A">Go', 'A Go'],
    ['a picture after a text', 'Go<img alt="A">', 'Go A'],
    ['a picture for the eye', '<p>a<img alt="" src="y">b<img alt=" ">c</p>', 'abc'],
    ['a link', '<a href="https://e.example/">Shop</a>', 'Shop [https://e.example/]'],
    ['a link that says its address', '<a href="https://e.example/">https://e.example/</a>', 'https://e.example/'],
    ['cells and rows', '<table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>5 €</td></tr></table>', 'Item Price\nTea 5 €'],
    ['tables in tables', '<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td></tr><tr><td>c</td></tr></table>', 'a b\n\nc'],
    ['blocks in cells', '<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>', 'a\n\nb'],
    [
      'a button in a table',
      '<p>Hi</p><table><tr><td><a href="https://e.example/b">Buy now</a></td></tr></table><p>Bye</p>',
      'Hi\n\nBuy now [https://e.example/b]\n\nBye',
    ],
    ['a list', '<p>a</p><ul><li>b</li><li>c</li></ul><p>d</p>', 'a\n\n* b\n* c\n\nd'],
    ['a numbered list', '<ol><li>a</li><li>b</li></ol>', '1. a\n2. b'],
    ['a numbered list from 3', '<ol start="3"><li>a</li><li>b</li></ol>', '3. a\n4. b'],
    ['a list in a list', '<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>', '1. a\n* b\n\n2. c'],
    ['headings', '<h1>Big News</h1><p>a</p><h2>More</h2>b', 'Big News\n\na\n\nMore\n\nb'],
  ];
  for (const [what, html, text] of cases)
    it(`has ${what}`, () => {
      expect(textOfHtml(html).replace(/\n{3,}/g, '\n\n')).to.equal(text);
    });
});
