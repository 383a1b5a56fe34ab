// SPDX-License-Identifier: MIT
// What the page has to say: one message at a time, with what can be done about it.

export interface NoticeAction {
  label: string;
  run: () => void;
}

export interface Notice {
  kind: 'told' | 'warning';
  text: string;
  actions: readonly NoticeAction[];
}

export class Notices {
  current: Notice | undefined = $state.raw();

  tell(text: string, actions: readonly NoticeAction[] = []): void {
    this.current = { kind: 'told', text, actions };
  }

  warn(text: string, actions: readonly NoticeAction[] = []): void {
    this.current = { kind: 'warning', text, actions };
  }

  clear(): void {
    this.current = undefined;
  }
}
