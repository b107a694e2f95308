declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** The part of the viewer that a plugin gets. */
  interface System {
    readonly React: {
      createElement(type: string, props: object | null, ...children: readonly unknown[]): unknown;
    };
  }

  type Component = (props: Readonly<Record<string, unknown>>) => unknown;

  export interface Plugin {
    readonly wrapComponents?: Readonly<Record<string, (original: Component, system: System) => Component>>;
  }

  /** Puts the viewer into the page. Options beside these are those of its manual, under "Configuration". */
  function SwaggerUi(options: {
    readonly url: string;
    readonly dom_id: string;
    readonly plugins?: readonly (() => Plugin)[];
    readonly [option: string]: unknown;
  }): unknown;

  export { SwaggerUi as default };
}
