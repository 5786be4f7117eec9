import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { linkTo } from '../../ui/links.ts';

/** A link to a page of another part, by its address below `/dashboard`. */
export const PageLink = ({ to, children }: { readonly to: string; readonly children: ReactNode }) => <Link {...linkTo(to)}>{children}</Link>;

export const contactAddress = (id: string): string => `/people/${id}`;
export const campaignAddress = (id: string): string => `/campaigns/${id}`;
export const journeyAddress = (id: string): string => `/journeys/${id}`;
export const templateAddress = (id: string): string => `/templates/${id}`;
