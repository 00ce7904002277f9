"""Guard functions run with their owner's rights and look only where the migration looked; nobody else may attach or redirect them."""

from __future__ import annotations

# Without this a guard would read what its caller's search_path and temporary tables show it: a temporary table called interlock_ledger
# would be history. pg_temp stands last, pg_catalog first. EXECUTE is asked for only when a trigger is made: without it, nobody can hang
# a guard on a table of his own, whose types would then run his code with the owner's rights. The condition of a trigger is spelled by the
# server in its own words, so its hash is kept: that is how a change of it is noticed. Roles that folded counters by their own rights,
# before a function did it, may call the function.
PINNED = """
DO $pinned$
DECLARE
    guard regprocedure; folding regrole;
    path text := (SELECT 'pg_catalog, ' || string_agg(quote_ident(name), ', ' ORDER BY place) || ', pg_temp'
                  FROM unnest(current_schemas(false)) WITH ORDINALITY AS seen(name, place) WHERE NOT starts_with(name, 'pg_'));
BEGIN
    FOR guard IN SELECT p.oid FROM pg_proc p
        WHERE p.pronamespace = to_regnamespace(quote_ident(current_schema())) AND starts_with(p.proname, 'interlock_')
        AND (p.prorettype = 'trigger'::regtype OR p.proname IN ('interlock_fold_counters', 'interlock_other_hash')) AND NOT p.prosecdef
    LOOP
        EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path TO %s', guard, path);
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', guard);
    END LOOP;
    FOR folding IN SELECT DISTINCT a.grantee::regrole FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.oid = 'interlock_count_delta'::regclass AND a.privilege_type = 'DELETE' AND a.grantee NOT IN (0, c.relowner)
    LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION interlock_fold_counters() TO %s', folding);
    END LOOP;
    INSERT INTO interlock_meta(key, value) SELECT 'trigger: ' || t.tgname || ' on ' || t.tgrelid::regclass, md5(pg_get_triggerdef(t.oid))
        FROM pg_trigger t WHERE t.tgqual IS NOT NULL AND NOT t.tgisinternal AND starts_with(t.tgname, 'interlock_')
        ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE interlock_meta.value <> excluded.value;
END $pinned$""".strip()
