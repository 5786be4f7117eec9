import type { Node, SourceFile } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isConstructorDeclaration,
  isFunctionDeclaration,
  isFunctionExpression,
  isGetAccessorDeclaration,
  isIdentifier,
  isMethodDeclaration,
  isPropertyAssignment,
  isPropertyDeclaration,
  isSetAccessorDeclaration,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';

/** From the first line of a function to its last one. */
const MAX_FUNCTION_LINES = 60;

/** Functions that may be longer, each with its reason. */
export const longFunctions: Readonly<Record<string, string>> = {
  'ops/app/application.ts createApplication': 'the composition root, most of it the table of ports',
};

/** The functions of production code that are too long, and exceptions that are none, as sentences. `root`: the folder of its tsconfig.json. */
export function tooLongFunctions(root: string, exceptions = longFunctions): string[] {
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProjects: [`${root}/tsconfig.json`] }).getProjects()[0];
    if (!project) throw new Error(`${root} has no project`);
    const { program } = project;
    const paths = program.getSourceFileNames().filter((path) => path.startsWith(`${root}/`) && !/\/(?:node_modules|test)\//.test(path));
    const long = paths.flatMap((path) => longFunctionsIn(path.slice(root.length + 1), program.getSourceFile(path)));
    const unused = Object.keys(exceptions).filter((place) => !long.some((found) => found.place === place));
    return [
      ...long
        .filter(({ place }) => !Object.hasOwn(exceptions, place))
        .map(({ place, line, lines }) => `${place} (line ${line}) has ${lines} lines, more than ${MAX_FUNCTION_LINES}`),
      ...unused.map((place) => `${place} is an exception without need`),
    ];
  } finally {
    api.close();
  }
}

interface LongFunction {
  /** Its file and name: `api/lists/lists.ts listRoutes`. */
  readonly place: string;
  readonly line: number;
  readonly lines: number;
}

function longFunctionsIn(path: string, file: SourceFile | undefined): LongFunction[] {
  if (!file) return [];
  const lineAt = (index: number): number => file.text.slice(0, index).split('\n').length;
  const found: LongFunction[] = [];
  const visit = (node: Node): undefined => {
    if (isFunction(node)) {
      const line = lineAt(node.getStart(file));
      const lines = lineAt(node.end) - line + 1;
      if (lines > MAX_FUNCTION_LINES) found.push({ place: `${path} ${nameOf(node)}`, line, lines });
    }
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  return found;
}

const isFunction = (node: Node): boolean =>
  isFunctionDeclaration(node) ||
  isFunctionExpression(node) ||
  isArrowFunction(node) ||
  isMethodDeclaration(node) ||
  isConstructorDeclaration(node) ||
  isGetAccessorDeclaration(node) ||
  isSetAccessorDeclaration(node);

/** Its own name, or that of what it is assigned to. */
function nameOf(node: Node): string {
  if (isConstructorDeclaration(node)) return 'constructor';
  const owner = isArrowFunction(node) || isFunctionExpression(node) ? node.parent : node;
  const named =
    isFunctionDeclaration(owner) ||
    isMethodDeclaration(owner) ||
    isVariableDeclaration(owner) ||
    isPropertyAssignment(owner) ||
    isPropertyDeclaration(owner) ||
    isGetAccessorDeclaration(owner) ||
    isSetAccessorDeclaration(owner);
  return named && owner.name && isIdentifier(owner.name) ? owner.name.text : 'without a name';
}
