import {
  AssignTag,
  CaptureTag,
  CaseTag,
  CommentTag,
  ForTag,
  IfTag,
  InlineCommentTag,
  LiquidTag,
  RawTag,
  TablerowTag,
  type Template,
  TokenKind,
  UnlessTag,
} from 'liquidjs';
import { DocTag, IfChangedTag } from './tags/tags.js';

/** White space between the tags of a block that writes nothing is not written either. Whether these parts write nothing. */
export function withoutBlankText(templates: readonly Template[]): boolean {
  return templates.map(isBlank).every((blank) => blank);
}

function isBlank(template: Template): boolean {
  const { kind } = template.token;
  if (kind === TokenKind.HTML) return (template.token as unknown as { getContent(): string }).getContent().trim() === '';
  if (template instanceof AssignTag || template instanceof CommentTag || template instanceof InlineCommentTag || template instanceof DocTag)
    return true;
  if (template instanceof CaptureTag) {
    withoutBlankText(template.templates);
    return true;
  }
  if (template instanceof RawTag) return template.render() === '';
  if (template instanceof LiquidTag || template instanceof IfChangedTag || template instanceof TablerowTag)
    return withoutBlankText(template.templates as Template[]) && !(template instanceof TablerowTag);
  const lists = branchesOf(template);
  if (lists === null) return false;
  const blank = lists.map(withoutBlankText).every((one) => one);
  if (blank) for (const list of lists) list.splice(0, list.length, ...list.filter(({ token }) => token.kind !== TokenKind.HTML));
  return blank;
}

/** The parts of a block, of which one is rendered. */
function branchesOf(template: Template): Template[][] | null {
  if (template instanceof ForTag) return [template.templates, template.elseTemplates];
  if (!(template instanceof IfTag || template instanceof UnlessTag || template instanceof CaseTag)) return null;
  return [...template.branches.map(({ templates }) => templates), template.elseTemplates ?? []];
}
