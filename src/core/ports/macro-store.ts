/** An answer that operators give often. */
export interface Macro {
  readonly macroId: string;
  readonly name: string;
  /** With variables such as `{customer.first_name}`. */
  readonly text: string;
  readonly tags: readonly string[];
  /** True where sending it resolves the ticket. */
  readonly resolves: boolean;
  /** Name of the operator who wrote it last. */
  readonly updatedBy: string;
  readonly updatedAt: string;
}

/** Macros of the desk. Throws HubError `database_failed`. */
export interface MacroStore {
  /** By name. */
  list(): Promise<readonly Macro[]>;
  get(macroId: string): Promise<Macro | null>;
  /** Writes it, new or anew. @throws HubError `input_invalid` (field `name`) where another one has the name */
  put(macro: Macro): Promise<void>;
  /** Returns false where there was none. */
  delete(macroId: string): Promise<boolean>;
}
