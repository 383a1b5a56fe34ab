// SPDX-License-Identifier: MIT
export { Doctor } from './doctor';
export { Examiner } from './exam';
export type { HeadLook, LayerLook, Look } from './exam';
export { findingKinds } from './findings';
export type { Course, Finding, FindingKind, HeadPlace } from './findings';
