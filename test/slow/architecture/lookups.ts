import { type Expression, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import {
  isAsExpression,
  isBinaryExpression,
  isBindingElement,
  isCallExpression,
  isComputedPropertyName,
  isDeleteExpression,
  isElementAccessExpression,
  isParenthesizedExpression,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync';

/**
 * Places whose lookups are not checked, each with its reason. Only a compiler knows whether `a[b]` asks a list by a number or a
 * table by a text, so this asks the one that builds the project (the version is in package-lock.json).
 */
const UNCHECKED: Readonly<Record<string, string>> = {
  'domain/kernel/own-fields.ts': 'the functions that everything else uses',
  'test/': 'tests ask what they have made themselves',
  'clients/': 'packages of their own',
  'engines/': 'the names of columns and collections are declared by read models',
  'bench/': 'benchmarks serve nobody',
};

/** `table[key]`, `key in table`, or `{ [key]: x } = table`. */
interface Lookup {
  readonly node: Node;
  readonly file: SourceFile;
  readonly key: Expression;
  /** Null in a destructuring pattern, where only the type of the key is checked. */
  readonly table: Expression | null;
}

/** Where files of a project ask objects by a text, and so would find what `Object.prototype` has, as sentences. `root`: the folder of its tsconfig.json. */
export function foreignLookups(root: string): string[] {
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProjects: [`${root}/tsconfig.json`] }).getProjects()[0];
    if (!project) throw new Error(`${root} has no project`);
    const { checker, program } = project;
    const paths = program
      .getSourceFileNames()
      .filter((path) => path.startsWith(`${root}/`) && !path.includes('/node_modules/'))
      .filter((path) => !Object.keys(UNCHECKED).some((place) => path.startsWith(`${root}/${place}`)));
    const files = paths.flatMap((path) => program.getSourceFile(path) ?? []);
    const lookups = files.flatMap(lookupsIn);
    // One question each: a question takes as long for a thousand expressions as for ten.
    const keys = checker.getTypeAtLocation(lookups.map(({ key }) => key));
    const tables = checker.getTypeAtLocation(lookups.map(({ table, key }) => table ?? key));
    const found = lookups.filter(({ table }, i) => isText(checker, keys[i]) && !(table && isListOrText(checker, tables[i])));
    return [...found.map((lookup) => sentence(root, lookup)), ...files.flatMap((file) => blindCopies(root, file, checker))];
  } finally {
    api.close();
  }
}

const sentence = (root: string, { node, file }: { readonly node: Node; readonly file: SourceFile }): string =>
  `${file.fileName.slice(root.length + 1)}:${lineOf(file, node)} asks an object by a text: ${node.getText(file).replace(/\s+/g, ' ').slice(0, 80)}`;

const lineOf = (file: SourceFile, node: Node): number => file.text.slice(0, node.getStart(file)).split('\n').length;

function each(file: SourceFile, visit: (node: Node) => void): void {
  const descend = (node: Node): undefined => {
    visit(node);
    node.forEachChild(descend);
  };
  file.forEachChild(descend);
}

function lookupsIn(file: SourceFile): Lookup[] {
  const found: Lookup[] = [];
  each(file, (node) => {
    // `delete` knows the object's own fields only.
    if (isElementAccessExpression(node) && !isDeleteExpression(node.parent))
      found.push({ node, file, key: uncast(node.argumentExpression), table: node.expression });
    else if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword)
      found.push({ node, file, key: uncast(node.left), table: node.right });
    // `{ [key]: _, ...others }` leaves a field out.
    else if (isBindingElement(node) && node.name?.getText(file) !== '_' && node.propertyName && isComputedPropertyName(node.propertyName))
      found.push({ node, file, key: uncast(node.propertyName.expression), table: null });
  });
  return found;
}

/** `name as keyof Table` says what the name should be, not what it is. */
function uncast(key: Expression): Expression {
  if (isParenthesizedExpression(key) || isAsExpression(key)) return uncast(key.expression);
  return key;
}

/** `Object.assign` sets the prototype where a source has the name `__proto__`; spreading does not. */
function blindCopies(root: string, file: SourceFile, checker: Checker): string[] {
  const found: string[] = [];
  each(file, (node) => {
    if (!isCallExpression(node)) return;
    const called = node.expression.getText(file);
    const blind = called === 'Object.assign' && node.arguments.slice(1).some((source) => hasAnyName(checker, checker.getTypeAtLocation(source)));
    if (blind || /^Reflect\.(?:get|set|has)$/.test(called)) found.push(sentence(root, { node, file }));
  });
  return found;
}

const hasAnyName = (checker: Checker, type: Type | undefined): boolean =>
  type === undefined || (type.flags & (TypeFlags.Any | TypeFlags.Unknown | GENERIC)) !== 0 || checker.getIndexInfosOfType(type).length > 0;

const partsOf = (type: Type): readonly Type[] => (type.isUnionType() ? type.getTypes().flatMap(partsOf) : [type]);

const TEXTS = TypeFlags.Any | TypeFlags.Unknown | TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping;
const GENERIC = TypeFlags.TypeParameter | TypeFlags.Index | TypeFlags.IndexedAccess | TypeFlags.Conditional;

/** Whether a value of the type may be any text, and not only one of some names. */
function isText(checker: Checker, type: Type | undefined): boolean {
  return (
    type === undefined ||
    partsOf(type).some((part) => {
      if (part.flags & GENERIC) return isText(checker, checker.getBaseConstraintOfType(part));
      return (part.flags & TEXTS) !== 0 || (part.isIntersectionType() && part.getTypes().some((one) => (one.flags & TypeFlags.String) !== 0));
    })
  );
}

const isListOrText = (checker: Checker, type: Type | undefined): boolean =>
  type !== undefined &&
  partsOf(checker.getNonNullableType(type) ?? type).every(
    (part) => (part.flags & TypeFlags.String) !== 0 || ((part.flags & TypeFlags.Any) === 0 && checker.isArrayLikeType(part)),
  );
