// Which triggers may call our functions, and the rows that they are about.
#include "pg/trigger.h"

extern "C" {
#include "catalog/partition.h"
#include "commands/trigger.h"
}

namespace memory::pg {

namespace {

// The table that a user knows: of a partition, the one at the top.
Oid whole_table(Relation table) {
    if (!table->rd_rel->relispartition)
        return RelationGetRelid(table);
    return call([table] { return llast_oid(get_partition_ancestors(RelationGetRelid(table))); });
}

bool is_one_of(Oid table, std::initializer_list<const char *> names) {
    const auto in_schema = [table](const char *name) {
        const Oid schema = get_namespace_oid("memory", true);
        return OidIsValid(schema) && get_relname_relid(name, schema) == table;
    };
    return std::any_of(names.begin(), names.end(),
                       [&](const char *name) { return call([&] { return in_schema(name); }); });
}

// The trigger that calls a function; nullptr when none does.
const TriggerData *trigger_of(const Arguments &arguments) {
    const Node *context = arguments.raw()->context;
    return context != nullptr && IsA(context, TriggerData)
               ? reinterpret_cast<const TriggerData *>(context)
               : nullptr;
}

[[noreturn]] void throw_other_kind(const char *kind) {
    throw Error(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED,
                "this function can only be called by an AFTER %s", kind);
}

void check_table(const TriggerData &trigger, std::initializer_list<const char *> tables) {
    if (!is_one_of(whole_table(trigger.tg_relation), tables))
        throw Error(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED,
                    "trigger \"%s\" calls a function that is not for table \"%s\"",
                    trigger.tg_trigger->tgname, RelationGetRelationName(trigger.tg_relation))
            .hint("The function is for triggers that memory.init() makes; drop this one.");
}

} // namespace

TriggerRow::TriggerRow(const Arguments &arguments, std::initializer_list<const char *> tables) {
    const TriggerData *trigger = trigger_of(arguments);
    if (trigger == nullptr || !TRIGGER_FIRED_FOR_ROW(trigger->tg_event) ||
        !TRIGGER_FIRED_AFTER(trigger->tg_event))
        throw_other_kind("trigger for each row");
    check_table(*trigger, tables);
    const bool updates = TRIGGER_FIRED_BY_UPDATE(trigger->tg_event);
    row_ = updates ? trigger->tg_newtuple : trigger->tg_trigtuple;
    before_ = updates ? trigger->tg_trigtuple : nullptr;
    shape_ = RelationGetDescr(trigger->tg_relation);
    is_update_ = TRIGGER_FIRED_BY_UPDATE(trigger->tg_event);
}

void show_deleted_rows(const Arguments &arguments, std::initializer_list<const char *> tables) {
    const TriggerData *trigger = trigger_of(arguments);
    if (trigger == nullptr || !TRIGGER_FIRED_FOR_STATEMENT(trigger->tg_event) ||
        !TRIGGER_FIRED_AFTER(trigger->tg_event) || !TRIGGER_FIRED_BY_DELETE(trigger->tg_event) ||
        trigger->tg_oldtable == nullptr)
        throw_other_kind("DELETE trigger for each statement, REFERENCING OLD TABLE");
    check_table(*trigger, tables);
    const int result =
        call([trigger] { return SPI_register_trigger_data(const_cast<TriggerData *>(trigger)); });
    if (result < 0)
        throw Error(ERRCODE_INTERNAL_ERROR, "SPI_register_trigger_data failed: %s",
                    SPI_result_code_string(result));
}

int TriggerRow::place(const char *column) const {
    const int number = call([=, this] { return SPI_fnumber(shape_, column); });
    if (number <= 0)
        throw Error(ERRCODE_UNDEFINED_COLUMN, "column \"%s\" is missing", column);
    return number - 1;
}

NullableDatum TriggerRow::value(HeapTuple row, int column) const {
    NullableDatum found{0, true};
    if (row != nullptr)
        found.value = call([&] { return column_value(row, column + 1, shape_, &found.isnull); });
    return found;
}

} // namespace memory::pg
