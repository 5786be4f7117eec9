import type { NodePath, PluginObj, types } from '@babel/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';

/**
 * Compiles the English texts where they stand in the code, once the macros have made descriptors of them: each page has its own texts with it, in
 * the form of a catalog, and no parser is needed to show them. Another language is a catalog by the same ids.
 */
export function compileTexts({ types: t }: { readonly types: typeof types }): PluginObj {
  const compiled = (node: types.Node | null | undefined): types.ArrayExpression | null =>
    t.isStringLiteral(node) ? (t.valueToNode(compileMessage(node.value)) as types.ArrayExpression) : null;
  return {
    visitor: {
      Program: {
        exit(program) {
          program.traverse({
            // t`…`, msg`…`: `/*i18n*/ { id, message, values }`
            ObjectExpression(path: NodePath<types.ObjectExpression>) {
              if (!path.node.leadingComments?.some(({ value }) => value === 'i18n')) return;
              for (const property of path.node.properties) {
                if (!t.isObjectProperty(property) || !t.isIdentifier(property.key, { name: 'message' })) continue;
                property.value = compiled(property.value) ?? property.value;
              }
            },
            // <Trans>…</Trans>: `<_Trans id="…" message="…" />`
            JSXOpeningElement(path: NodePath<types.JSXOpeningElement>) {
              if (!t.isJSXIdentifier(path.node.name, { name: '_Trans' })) return;
              for (const attribute of path.node.attributes) {
                if (!t.isJSXAttribute(attribute) || attribute.name.name !== 'message') continue;
                const value = t.isJSXExpressionContainer(attribute.value) ? attribute.value.expression : attribute.value;
                const text = compiled(value);
                if (text) attribute.value = t.jsxExpressionContainer(text);
              }
            },
          });
        },
      },
    },
  };
}
