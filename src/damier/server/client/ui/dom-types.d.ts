/** What `h` and `s` of dom.js take. */

export type Plain = string | number | boolean | null | undefined;

/** Functions by the name of the event; `currentTarget` is the element itself. */
export type Listeners<Made> = {
  [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name] & { currentTarget: Made }) => unknown;
};

/** Attributes by name; null, undefined and false leave one out. */
export type Attributes<Made> = Listeners<Made> & { [name: string]: Plain | ((event: never) => unknown) };

export type Child = Node | string | null | undefined | false | readonly Child[];
